import { createCipheriv, createDecipheriv } from 'node:crypto'

import { z } from 'zod'

import type { Press } from '../link.ts'

/** What a link stands for, and until when (wall time). */
export type Sealed = Omit<Press, 'id'> & { until: number }

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Longer ones are none of ours. */
const SHAPE = /^[\w-]{40,1000}$/
const PLAIN = z.tuple([z.string(), z.string(), z.string().nullable(), z.string(), z.number()])

/**
 * What a link stands for as one word that nobody can read, change or make up: encrypted and authenticated in one
 * (AES-GCM). Nothing is kept of it, so it holds over a restart, and no stranger can fill a table.
 */
export function seal({ there, line, until }: Sealed, key: Uint8Array, nonce: Uint8Array): string {
  const cipher = createCipheriv(CIPHER, key, nonce)
  const plain = JSON.stringify([there.platform, there.chat, there.thread, line, until])
  const sealed = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}

/** Null for what was not sealed with this key. How long that takes says nothing: GCM compares in constant time. */
export function opened(token: string, key: Uint8Array): Sealed | null {
  if (!SHAPE.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  // Several spellings of the same bytes would be several buttons.
  if (bytes.toString('base64url') !== token) return null
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    const text = Buffer.concat([plain, decipher.final()]).toString()
    const [platform, chat, thread, line, until] = PLAIN.parse(JSON.parse(text))
    return { there: { platform, chat, thread }, line, until }
  } catch {
    return null
  }
}
