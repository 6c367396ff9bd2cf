"""A way to regd on which the first answer is lost: cut.py LISTENING-PATH REGD-PATH.

Every connection is handed through; the first one ends when regd has answered on it, before the answer is passed on.
"""

import os
import socket
import sys
import threading


def hand_on(source: socket.socket, target: socket.socket) -> None:
    while data := source.recv(65536):
        target.sendall(data)
    target.shutdown(socket.SHUT_WR)


def main(path: str, regd: str) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path + ".new")
    listener.listen()
    os.rename(path + ".new", path)
    is_first = True
    while True:
        caller, _ = listener.accept()
        behind = socket.socket(socket.AF_UNIX)
        behind.connect(regd)
        threading.Thread(target=hand_on, args=(caller, behind), daemon=True).start()
        if is_first:
            behind.recv(1)
            caller.shutdown(socket.SHUT_RDWR)
            is_first = False
        else:
            threading.Thread(target=hand_on, args=(behind, caller), daemon=True).start()


main(*sys.argv[1:])
