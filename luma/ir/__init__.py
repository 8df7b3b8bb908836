"""The typed SSA form every stage after the frontend works on."""
