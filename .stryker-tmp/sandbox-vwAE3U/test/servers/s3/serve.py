# Moto's S3 on a port that the system picks, printed once it listens. It ends with its standard input, so that it never
# outlives who started it.

import logging
import sys

from moto.moto_server.threaded_moto_server import ThreadedMotoServer

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
