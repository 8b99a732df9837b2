"""Client of the dicepoker service: scores, moves and advice for dice games."""

from . import aio
from ._methods import Client
from ._errors import Error, FieldViolation
from ._version import __version__

__all__ = ["Client", "Error", "FieldViolation", "aio", "__version__"]
