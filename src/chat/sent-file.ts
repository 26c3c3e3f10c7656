/** A file that somebody has sent. It is fetched only once they may use it, so that strangers cost nothing. */
export interface SentFile {
  read(): Promise<FileRead>
}

export type FileRead = { is: 'text'; text: string } | { is: 'too large' } | { is: 'unreadable' }

/** In bytes. A person with two thousand alerts fits. To read one of a hostile sender takes some 60 ms. */
export const LARGEST_FILE = 500_000

/** A file whose text was pasted. */
export function pastedFile(text: string): SentFile {
  const isLarge = text.length > LARGEST_FILE
  return { read: () => Promise.resolve(isLarge ? { is: 'too large' } : { is: 'text', text }) }
}

/** Reads the text of an answer, and no byte more than a file may have: a length can be left out, or wrong. */
export async function textOf(response: Response): Promise<FileRead> {
  if (!response.ok || response.body === null) return { is: 'unreadable' }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of response.body) {
      bytes += chunk.length
      if (bytes > LARGEST_FILE) return { is: 'too large' }
      text += decoder.decode(chunk, { stream: true })
    }
    return { is: 'text', text: text + decoder.decode() }
  } catch {
    return { is: 'unreadable' }
  }
}

/** The type of a file that we send, as HTTP names it. */
export function contentType(name: string): string {
  return name.endsWith('.json') ? 'application/json' : 'text/csv'
}
