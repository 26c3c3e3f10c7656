import type { Inbound } from '../chat/bot.ts'
import type { Command } from '../command/command.ts'
import type { Identity } from '../message/address.ts'
import { message } from '../message/message.ts'
import { toNumber } from '../venue/amount.ts'

/** Somebody who asks for data: alone, in no chat of ours. */
export function asker(by: Identity, command: string, now: number): Inbound {
  const nowhere = { platform: by.platform, chat: by.user, thread: null }
  return {
    ...{ id: `ask ${command}`, by, name: '', language: null, writtenAt: now, seenUntil: now },
    ...{ chat: nowhere, home: nowhere, tellsNobody: true, answersApart: false },
    ...{ private: true, whisper: true, mayConfigure: false },
  }
}

/** The same command, whose data go to `found`. Null for a command that does more than look. */
export function dataOf(command: Command, found: (data: unknown) => void): Command | null {
  const { ask } = command
  if (!ask) return null
  return {
    ...command,
    async run(context, _form, args) {
      found(plainData(await ask(context, args)))
      return message([])
    },
  }
}

/** The same data as plain JSON: exact amounts become numbers, and what is no finite number becomes null. */
function plainData(data: unknown): unknown {
  return JSON.parse(
    JSON.stringify(data, (_key, part: unknown) => (typeof part === 'bigint' ? toNumber(part) : part)),
  )
}
