"""What the text targets share: names, structured statements, expressions as text."""
