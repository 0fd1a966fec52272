<?php
// Decrypts the notifications on standard input, one in each line, as a PHP receiver does.
$key = substr(sha1(getenv('CB_INS_SECRET')), 0, 32);
while (($line = fgets(STDIN)) !== false) {
    $body = json_decode($line);
    $iv = base64_decode($body->iv, true);
    $text = openssl_decrypt($body->notification, 'aes-256-cbc', $key, 0, $iv);
    if ($text === false || json_decode($text) === null) exit("failed\n");
    echo $text, "\n";
}
