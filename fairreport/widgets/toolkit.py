"""ipywidgets, or one clear error where it is not installed."""

from fairreport.errors import ExtraMissingError

try:
    import ipywidgets as ipywidgets  # noqa: PLC0414 - handed on
except ImportError as error:
    message = "the explorer needs ipywidgets; install it with: pip install fairreport[notebook]"
    raise ExtraMissingError(message) from error
