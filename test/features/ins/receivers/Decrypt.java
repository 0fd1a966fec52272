import java.io.*;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.*;
import javax.crypto.Cipher;
import javax.crypto.spec.*;

/** Decrypts the notifications on standard input, one in each line, as a Java receiver does. */
public class Decrypt {
    public static void main(String[] arguments) throws Exception {
        byte[] secret = System.getenv("CB_INS_SECRET").getBytes(StandardCharsets.UTF_8);
        String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(secret));
        byte[] key = hash.substring(0, 32).getBytes(StandardCharsets.US_ASCII);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
            cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(field(line, "iv")));
            byte[] text = cipher.doFinal(field(line, "notification"));
            System.out.write(text);
            System.out.write('\n');
        }
        System.out.flush();
    }

    private static byte[] field(String body, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":\"([A-Za-z0-9+/=]*)\"").matcher(body);
        if (!matcher.find()) throw new IllegalArgumentException("no " + name);
        return Base64.getDecoder().decode(matcher.group(1));
    }
}
