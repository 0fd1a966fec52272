/** Base64 of the UTF-8 bytes of a text, without Node's Buffer, which other runtimes lack. */
export function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
