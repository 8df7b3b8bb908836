"""From source text to a typed tree: preprocess, lex, parse, desugar, check."""
