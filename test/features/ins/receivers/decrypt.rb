# Decrypts the notifications on standard input, one in each line, as a Ruby receiver does.
require "base64"
require "digest"
require "json"
require "openssl"

key = Digest::SHA1.hexdigest(ENV.fetch("CB_INS_SECRET"))[0, 32]
STDIN.each_line do |line|
  body = JSON.parse(line)
  decipher = OpenSSL::Cipher.new("aes-256-cbc").decrypt
  decipher.key = key
  decipher.iv = Base64.strict_decode64(body["iv"])
  text = decipher.update(Base64.strict_decode64(body["notification"])) + decipher.final
  JSON.parse(text.force_encoding("UTF-8"))
  STDOUT.write(text, "\n")
end
