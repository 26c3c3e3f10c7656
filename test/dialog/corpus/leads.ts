import type { Command } from '../../../src/command/command.ts'
import type { View } from '../../../src/command/context.ts'
import { plainLines, say, type Message } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { aDialog, anInbound, commands } from '../world.ts'

/** What somebody types, and where it leads: a line that runs, `? ` the lines of the buttons, or `! ` a sentence. */
export type Row = readonly [typed: string, leads: string]

/** Where a line led: the command that ran with its arguments, or the answer without one. */
interface Led {
  ran: string | null
  answer: Message
}

export interface Setting {
  view?: Partial<View>
  group?: true
  /** Somebody whom Perch does not know. */
  stranger?: true
  /** Typed before, so that its question waits. */
  before?: string
}

/** Sends a line to a dialog whose commands only say that they ran. */
export async function lead(line: string, { view = {}, group, stranger, before }: Setting = {}): Promise<Led> {
  let ran: string | null = null
  const recording = commands.map((command): Command => ({
    ...command,
    run(_context, form, args) {
      const written = (_key: string, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : _key === 'typed' ? undefined : value
      ran = `/${command.name} ${form.name} ${JSON.stringify(args, written)}`
      return say('ran')
    },
  }))
  const { dialog } = aDialog({
    view,
    commands: recording,
    speaker: { local: false, ...(stranger ? { person: null } : {}) },
  })
  const place = group ? { private: false, whisper: false, mayConfigure: false } : {}
  if (before !== undefined) await dialog.line(anInbound({ ...place, id: 'before' }), before)
  ran = null
  const answer = await dialog.line(anInbound(place), line)
  return { ran, answer }
}

export function words(answer: Message): string {
  return plainLines(answer, { now: NOON, zone: 'UTC' }).join('\n')
}

export const buttonsOf = (answer: Message) =>
  [...answer.items.flatMap((item) => item.buttons), ...answer.buttons].map(({ line }) => line)
