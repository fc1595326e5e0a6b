"""Servers on loopback that are no pmcd, or a bad one: for scripts that show what clients say."""

import socket
import struct
import threading

ERROR, CREDS, RESULT = 0x7000, 0x700C, 0x7001


def pdu(kind, body, length=None):
    """A PDU of PCP; `length`: what its header says where that is not true."""
    length = 12 + len(body) if length is None else length
    return struct.pack(">iii", length, kind, 0) + body


def greeting(status=0, version=2, length=None):
    return pdu(ERROR, struct.pack(">iBBH", status, version, 1, 0x0E44), length)


class Server:
    """Sends `first` to whoever connects, and `answer` behind each request that came; then it is
    mute, or closes the connection."""

    def __init__(self, first=b"", answer=b"", closes=False):
        self.first, self.answer, self.closes = first, answer, closes
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.accepted = 0
        self.host = "127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.accepted += 1
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        with connection:
            try:
                connection.sendall(self.first)
                if self.closes and not self.answer:
                    return
                while data := connection.recv(65536):
                    if self.answer and not self.only_creds(data):
                        connection.sendall(self.answer)
                        if self.closes:
                            return
            except OSError:
                return

    @staticmethod
    def only_creds(data):
        """The client's greeting has no answer."""
        length, kind = struct.unpack(">ii", data[:8]) if len(data) >= 8 else (0, 0)
        return kind == CREDS and length == len(data)
