import { LARGEST_FILE, type SentFile } from '../../../src/chat/sent-file.ts'
import { type Api, isObject } from '../send/api.ts'

/** A document of a message: its id, and its size in bytes as Telegram says it. */
export interface SentDocument {
  id: string
  bytes: number
}

const LIMIT_MS = 10_000

/** The document of a message, if it has one that we can name. A GIF is no document, though Telegram sends it as both. */
export function documentOf(message: object): SentDocument | null {
  const { animation, document } = message as { animation?: unknown; document?: unknown }
  if (animation !== undefined || !isObject(document) || typeof document['file_id'] !== 'string') return null
  const { file_id: id, file_size: bytes } = document
  return { id, bytes: typeof bytes === 'number' ? bytes : 0 }
}

/** Its text, asked for once somebody may use it (https://core.telegram.org/bots/api#getfile). */
export function fileOf({ id, bytes }: SentDocument, api: Pick<Api, 'call' | 'download'>): SentFile {
  return {
    async read() {
      if (bytes > LARGEST_FILE) return { is: 'too large' }
      const answer = await api.call('getFile', { file_id: id }, LIMIT_MS)
      const found = answer.is === 'answered' && answer.body.ok ? answer.body.result : null
      const path = isObject(found) ? found['file_path'] : null
      // A server of one's own can name a path of its disk, which is not ours to read.
      const isThere = typeof path === 'string' && !path.startsWith('/') && !path.includes('..')
      return isThere ? api.download(path, LIMIT_MS) : { is: 'unreadable' }
    },
  }
}
