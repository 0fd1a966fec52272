"""Decrypts the notifications on standard input, one in each line, as a Python receiver does."""
import base64, hashlib, json, os, sys
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

key = hashlib.sha1(os.environb[b"CB_INS_SECRET"]).hexdigest()[:32].encode("ascii")
for line in sys.stdin.buffer:
    body = json.loads(line)
    iv = base64.b64decode(body["iv"], validate=True)
    decryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor()
    padded = decryptor.update(base64.b64decode(body["notification"], validate=True)) + decryptor.finalize()
    unpadder = PKCS7(128).unpadder()
    data = unpadder.update(padded) + unpadder.finalize()
    json.loads(data.decode("utf-8"))
    sys.stdout.buffer.write(data + b"\n")
