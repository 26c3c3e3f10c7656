/** A file that comes with an answer. */
export interface Attachment {
  /** Letters, digits, hyphens and one dot. */
  name: string
  text: string
}

/** Its lines as they are, under its name: what is shown where no file can be had. */
export function fileLines({ name, text }: Attachment): string[] {
  return [`${name}:`, ...text.split(/\r?\n/).filter((line) => line !== '')]
}
