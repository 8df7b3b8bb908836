"""What the tests share: a Vulkan host, validators, references in NumPy, and the cases' form."""
