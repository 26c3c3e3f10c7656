import { type FileRead, textOf } from '../../../src/chat/sent-file.ts'
import { jsonOrNull } from '../../../src/lib/text/json.ts'
import { backoffMs } from '../../../src/lib/time/backoff.ts'
import { type Clock, within } from '../../../src/runtime/clock.ts'

/** How a request ended, before anybody judges it. */
export type ApiAnswer =
  /** A reply of Telegram itself, be it a success or an error. */
  | { is: 'answered'; status: number; body: Body }
  /** Another server answered in its place: a proxy, an error page. */
  | { is: 'foreign'; status: number; why: string }
  /** No answer, or half of one. `maybeDone` is false when the request cannot have reached anybody. */
  | { is: 'lost'; maybeDone: boolean; why: string }

export interface Body {
  ok: boolean
  result: unknown
  description: string
  retryAfterMs: number | null
  movedTo: string | null
}

/** A file that goes along, in the field that the method takes it in. */
export interface Upload {
  field: 'document' | 'photo'
  name: string
  type: string
  content: string | Uint8Array<ArrayBuffer>
}

export interface Api {
  /** Asks once. Never throws, always ends: within `limitMs`, or when the signal says so. */
  call(
    method: string,
    parameters: object,
    limitMs: number,
    signal?: AbortSignal,
    upload?: Upload | null,
  ): Promise<ApiAnswer>
  /** Reads a file that somebody has sent, by the path that getFile gives. Never throws, always ends. */
  download(path: string, limitMs: number): Promise<FileRead>
}

const BACKOFF = { firstMs: 500, longestMs: 30_000 }
/** The longest wait that is obeyed: a nonsensical value must not silence the bot for a year. */
const LONGEST_WAIT_MS = 5 * 60_000
/** Longest foreign page that is read. */
const LONGEST_PAGE = 100_000
const SHOWN_PAGE_CHARACTERS = 80

/** The Bot API with Node's own fetch: telegraf's transport waits 500 s for a hung server (docs/decisions.md). */
export function createApi({
  root,
  token,
  testing = false,
  clock,
}: {
  root: string
  token: string
  /** Telegram's test environment: other people, other chats, another token. */
  testing?: boolean
  clock: Clock
}): Api {
  const bot = `${root}/bot${token}${testing ? '/test' : ''}`
  return {
    async download(path, limitMs) {
      // https://core.telegram.org/bots/api#getfile
      const address = `${root}/file/bot${token}${testing ? '/test' : ''}/${path.split('/').map(encodeURIComponent).join('/')}`
      try {
        return await within(clock, limitMs, undefined, async (signal) =>
          textOf(await fetch(address, { redirect: 'error', signal })),
        )
      } catch {
        // The error could quote the address, and with it the token.
        return { is: 'unreadable' }
      }
    },
    async call(method, parameters, limitMs, signal, upload = null) {
      if (signal?.aborted) return { is: 'lost', maybeDone: false, why: 'given up before it began' }
      try {
        return await within(clock, limitMs, signal, async (limit) => {
          const response = await fetch(`${bot}/${method}`, {
            method: 'POST',
            ...(upload ? { body: form(parameters, upload) } : json(parameters)),
            redirect: 'error',
            signal: limit,
          })
          const text = await response.text()
          const body = bodyOf(text)
          if (body) {
            const description = withoutToken(body.description, token)
            return { is: 'answered', status: response.status, body: { ...body, description } }
          }
          const page = withoutToken(text.slice(0, LONGEST_PAGE), token).slice(0, SHOWN_PAGE_CHARACTERS)
          const why = `HTTP ${response.status} that is not the Bot API's: ${page}`
          return { is: 'foreign', status: response.status, why }
        })
      } catch (error) {
        return { is: 'lost', maybeDone: !neverArrived(error), why: withoutToken(causeOf(error), token) }
      }
    },
  }
}

function json(parameters: object): { headers: Record<string, string>; body: string } {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(parameters) }
}

/** https://core.telegram.org/bots/api#sending-files: fields that are not text are JSON there. */
function form(parameters: object, { field, name, type, content }: Upload): FormData {
  const all = new FormData()
  for (const [key, value] of Object.entries(parameters))
    all.append(key, typeof value === 'string' ? value : JSON.stringify(value))
  all.append(field, new Blob([content], { type }), name)
  return all
}

/** How long to wait after an answer that was none; what Telegram asks for comes first. */
export function waitMs(answer: ApiAnswer, failures: number, random: number): number {
  const asked = answer.is === 'answered' ? answer.body.retryAfterMs : null
  return asked === null ? backoffMs(failures, random, BACKOFF) : Math.min(asked, LONGEST_WAIT_MS)
}

export function whyOf(answer: ApiAnswer): string {
  return answer.is === 'answered' ? `${answer.status} ${answer.body.description}` : answer.why
}

function bodyOf(text: string): Body | null {
  const value = jsonOrNull(text)
  if (!isObject(value) || typeof value['ok'] !== 'boolean') return null
  const { ok, result, description, parameters } = value
  const { retry_after: seconds, migrate_to_chat_id: moved } = isObject(parameters) ? parameters : {}
  return {
    ok,
    result,
    description: typeof description === 'string' ? description : '',
    retryAfterMs: typeof seconds === 'number' && seconds >= 0 ? seconds * 1_000 : null,
    movedTo: typeof moved === 'number' || typeof moved === 'string' ? String(moved) : null,
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The connection failed, so no server has read anything. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function neverArrived(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof AggregateError) return cause.errors.every((one) => UNREACHED.has(codeOf(one)))
  return UNREACHED.has(codeOf(cause))
}

function codeOf(error: unknown): string {
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : ''
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const detail = cause instanceof Error ? cause.message || codeOf(cause) : ''
  return detail === '' ? error.message : `${error.message}: ${detail}`
}

/** Parts of a secret of at least this length are no ordinary words. */
const RECOGNISED = 6

/** Removes the token, even if it is encoded (`%3A`) or cut short. The secret is the part after the colon. */
function withoutToken(text: string, token: string): string {
  const secret = token.slice(token.indexOf(':') + 1)
  // Letters, digits, `_` and `-` (config.ts): nothing in it means anything in a pattern.
  const begun = new RegExp(`${secret.slice(0, RECOGNISED)}[\\w-]*`, 'g')
  return text.replaceAll(token, '<token>').replace(begun, '<token>')
}
