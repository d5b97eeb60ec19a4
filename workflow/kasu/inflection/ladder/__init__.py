"""The ladder of variants: each step, and each member, beside published outputs."""
