/** The first 4 bytes hold the length of the text that follows (RFC 4251, section 5); there are more than 4. */
const leadingText = (bytes: string): string => {
  const length = [0, 1, 2, 3].reduce((sum, at) => sum * 256 + bytes.charCodeAt(at), 0);
  return bytes.slice(4, 4 + length);
};

const decoded = (base64: string): string | undefined => {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
};

/** Options may stand before the algorithm, a comment after the key (sshd(8), "authorized_keys file format"). */
const isKeyLine = (line: string): boolean => {
  const words = line.trim().split(/[ \t]+/);
  return words.some((algorithm, index) => {
    const key = decoded(words[index + 1] ?? "");
    return algorithm !== "" && key !== undefined && key.length > 4 && leadingText(key) === algorithm;
  });
};

/** Whether a text is the base64 of a line of `authorized_keys`, of whatever algorithm. */
export const isPublicKey = (base64: string): boolean =>
  (decoded(base64) ?? "").split("\n").some((line) => !line.trimStart().startsWith("#") && isKeyLine(line));
