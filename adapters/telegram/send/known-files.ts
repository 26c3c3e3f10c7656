import { createHash } from 'node:crypto'

import { remember } from '../../../src/lib/data/remember.ts'
import { type Api, type ApiAnswer, isObject, type Upload } from './api.ts'

const MOST_FILES = 200

/**
 * Sends a file that this run has uploaded before by its id, as Telegram asks for
 * (https://core.telegram.org/bots/api#sending-files). An id that is not taken is forgotten, and the file uploaded anew.
 */
export function withKnownFiles(api: Api): Api {
  const known = new Map<string, string>()
  return {
    ...api,
    async call(method, parameters, limitMs, signal, upload = null) {
      if (!upload) return api.call(method, parameters, limitMs, signal)
      const key = keyOf(upload)
      const id = known.get(key)
      if (id !== undefined) {
        const answer = await api.call(method, { ...parameters, [upload.field]: id }, limitMs, signal)
        if (!isUnknownFile(answer)) return answer
        known.delete(key)
      }
      const answer = await api.call(method, parameters, limitMs, signal, upload)
      const given = idIn(answer, upload.field)
      if (given !== null) remember(known, key, given, MOST_FILES)
      return answer
    },
  }
}

function keyOf({ field, name, content }: Upload): string {
  return `${field} ${name} ${createHash('sha256').update(content).digest('base64')}`
}

/** The server spells these refusals in several ways. They are about the file and not about the chat. */
function isUnknownFile(answer: ApiAnswer): boolean {
  return (
    answer.is === 'answered' &&
    answer.status === 400 &&
    /file.?(?:id|reference)/i.test(answer.body.description)
  )
}

/** A photo comes in several sizes, the largest last. */
function idIn(answer: ApiAnswer, field: Upload['field']): string | null {
  if (answer.is !== 'answered' || !answer.body.ok || !isObject(answer.body.result)) return null
  const sent = answer.body.result[field]
  const file: unknown = Array.isArray(sent) ? sent.at(-1) : sent
  return isObject(file) && typeof file['file_id'] === 'string' ? file['file_id'] : null
}
