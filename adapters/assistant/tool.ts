import { z } from 'zod'

import type { Bot, Inbound } from '../../src/chat/bot.ts'
import type { Asked } from '../../src/chat/holdings.ts'
import { shortLine } from '../../src/lib/text/legible.ts'
import type { Address, Identity } from '../../src/message/address.ts'
import { isSilent, linesOf, type Message, plainText, readerOf, type Text } from '../../src/message/message.ts'

/** Who asks, and for whom. */
export interface Asking {
  bot: Bot
  by: Identity
  /** Wall time. */
  now: number
  /** The assistant as the speaker of a line. */
  inbound(): Inbound
}

/** `labels`: words of Perch that may hold names. */
export type Outcome<D> =
  | { is: 'found'; summary: string; data: D }
  | { is: 'refused'; why: string; labels?: readonly string[] }

/** One thing that an assistant can ask for. */
export interface Tool {
  name: string
  title: string
  description: string
  input: z.ZodObject
  output: z.ZodObject
  /** It adds a rule; the others only look. */
  adds: boolean
  run(asking: Asking, args: unknown): Promise<Outcome<object>>
}

/** Infers the arguments and the data of a tool. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(
  declared: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: I
    output: O
    run(asking: Asking, args: z.infer<I>): Promise<Outcome<z.infer<O>>>
  },
): Tool {
  return { ...declared, run: (asking, args) => declared.run(asking, args as z.infer<I>) }
}

/** The assistant speaks alone, where nobody can be told anything. It says no language, because its person has one. */
export function inboundOf(by: Identity, id: string, now: number): Inbound {
  const here: Address = { platform: by.platform, chat: by.user, thread: null }
  return {
    ...{ id: `${by.user.slice(0, 16)}/${id}`, by, writtenAt: now, seenUntil: now, name: '', language: null },
    ...{ chat: here, home: here, tellsNobody: true },
    ...{ private: true, mayConfigure: false, whisper: true, answersApart: true },
  }
}

const LONGEST_LABEL = 120
const LONGEST_LINE = 300
const MOST_LINES = 60

/** A name that people or the exchange gave, in one short line without invisible signs. */
export function labelled(name: string): string {
  return shortLine(name, LONGEST_LABEL)
}

/** The schema of such a name. */
export const labelField = z.string()

/** An answer in words, line by line, without its buttons: they are for people. */
export function labelsOf(message: Message, now: number): string[] {
  const reader = readerOf(message, now)
  const texts = [
    ...message.items.flatMap((item) => [item.title, ...linesOf(item)]),
    ...(message.footnote === null ? [] : [message.footnote]),
  ]
  return texts
    .map((text) => shortLine(plainText(text, reader), LONGEST_LINE))
    .filter((line) => line !== '')
    .slice(0, MOST_LINES)
}

/** A text in data, for the assistant. */
export function labelledText(text: Text, now: number): string {
  return shortLine(plainText(text, { now, zone: 'UTC' }), LONGEST_LINE)
}

/** A text as `ask` gives it. */
export const TEXT = z.custom<Text>((value) => typeof value === 'string' || Array.isArray(value))

/** The data behind a command, or why there are none. */
export async function dataOf<S extends z.ZodType>(
  { bot, by, now }: Asking,
  command: string,
  args: Record<string, unknown>,
  shape: S,
): Promise<{ is: 'data'; data: z.infer<S> } | Extract<Outcome<never>, { is: 'refused' }>> {
  const asked: Asked = await bot.ask(by, command, args)
  if (asked.is === 'said') return { is: 'refused', ...saidOf(asked.message, now) }
  return { is: 'data', data: shape.parse(asked.data) }
}

/** Perch answers nobody who asks too often. */
function saidOf(message: Message, now: number): { why: string; labels: string[] } {
  return isSilent(message)
    ? { why: 'Perch does not answer: too much was asked in this minute.', labels: [] }
    : { why: 'Perch has no such data. Its words:', labels: labelsOf(message, now) }
}

const LATEST_MS = 8.64e15

/** A wall time in ISO 8601. */
export function isoTime(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), LATEST_MS)).toISOString()
}

export function isoOrNull(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : isoTime(ms)
}

export const TIME = z.string().describe('ISO 8601')

/** `A41` or `41`. */
export const ALERT = z
  .string()
  .regex(/^[Aa]?\d{1,15}$/)
  .describe('The id of an alert, such as A41')
