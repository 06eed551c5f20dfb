"""The packet: sections, HTML, PDF, attachments."""
