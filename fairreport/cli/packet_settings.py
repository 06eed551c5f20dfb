"""What the command line says of a packet; the settings themselves are those of every report."""

from __future__ import annotations

from fairreport.report.packet_settings import AskedPacket, PacketSettings, packet_settings

__all__ = ["AskedPacket", "PacketSettings", "packet_settings"]
