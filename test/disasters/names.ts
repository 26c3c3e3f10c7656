import dns from 'node:dns'
import { existsSync } from 'node:fs'

/** Loaded into the program before anything else: while this file is there, no name resolves. */
const gone = process.env['NAMES_FILE'] ?? ''
const lookup = dns.lookup as (host: string, options: unknown, done: (error: Error) => void) => void

dns.lookup = ((host: string, options: unknown, done: (error: Error) => void) => {
  if (!existsSync(gone)) return lookup(host, options, done)
  const error = Object.assign(new Error(`getaddrinfo EAI_AGAIN ${host}`), {
    code: 'EAI_AGAIN',
    syscall: 'getaddrinfo',
  })
  const answer = typeof options === 'function' ? (options as typeof done) : done
  process.nextTick(answer, error)
  return undefined
}) as typeof dns.lookup
