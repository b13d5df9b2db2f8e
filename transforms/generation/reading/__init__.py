"""The offline reader: typed, cited answers from the offered lines, without any model."""

from transforms.generation.reading.read import read_offline

__all__ = ["read_offline"]
