"""A relay on loopback in front of a host, which can fail as networks do."""

import socket
import threading
import time


class Relay:
    """Forwards connections to a port of loopback, until one of its failures is asked for."""

    def __init__(self, port):
        self.port = port
        self.accepted = 0
        self.lock = threading.Lock()
        self.pairs = []  # what is forwarded
        self.held = []  # what is open, and no more forwarded
        self.cut_after = None
        self.delay = 0  # of each answer, seconds
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.host = "127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            self.accepted += 1
            try:
                server = socket.create_connection(("127.0.0.1", self.port), timeout=5)
                server.settimeout(None)
            except OSError:
                client.close()
                continue
            with self.lock:
                self.pairs.append((client, server))
            for ends in ((client, server, False), (server, client, True)):
                threading.Thread(target=self.forward, args=ends, daemon=True).start()

    def forward(self, source, sink, is_answer):
        try:
            while data := source.recv(65536):
                with self.lock:
                    if any(source in pair for pair in self.held):
                        continue  # it vanishes
                    cut = self.cut_after if is_answer else None
                if is_answer and self.delay:
                    time.sleep(self.delay)
                if cut is not None and len(data) > cut:
                    sink.sendall(data[:cut])
                    break
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def hold(self):
        """The connections stay open, and nothing passes any more; new ones work."""
        with self.lock:
            self.held, self.pairs = self.held + self.pairs, []

    def close(self):
        """Closes the connections; new ones work."""
        with self.lock:
            pairs, self.pairs = self.pairs, []
        for end in (end for pair in pairs for end in pair):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self, after):
        """Each answer that is longer ends behind so many bytes, and so does its connection; None:
        no more."""
        with self.lock:
            self.cut_after = after
