import type { Inbound } from '../chat/bot.ts'
import type { View } from '../command/context.ts'
import { inWords, type Message, say, words } from '../message/message.ts'
import { QUESTION_LIVES_MS, type Waiting, waitingAt } from '../people/question.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change, InputId } from '../store/change.ts'
import { LANGUAGES } from '../words/words.ts'
import { fitted } from './fit.ts'

/** Knows what each person was asked in each chat. */
interface Questions {
  /** The question that the next message of this person answers. */
  waiting(from: Inbound): Waiting | null
  /** Keeps the question in an answer, or ends the one before. Resolves once that is committed. */
  settle(from: Inbound, answer: Message): Promise<Message>
}

export function createQuestions(world: {
  view: Pick<View, 'person' | 'question'>
  clock: Clock
  emit: Emit
  change(change: Change, input: InputId): Promise<unknown>
}): Questions {
  const { view, clock, emit, change } = world
  return {
    waiting: ({ by, chat }) => waitingAt(view.question(by, chat), clock.now()),
    async settle(from, answer) {
      const { by, chat } = from
      const isAsked = answer.question !== undefined && view.person(by) !== null
      if (!isAsked && view.question(by, chat) === null) return answer
      const question = isAsked
        ? { asked: fitted(answer, null), until: clock.now() + QUESTION_LIVES_MS }
        : null
      // A repeated delivery of the same message changes nothing. Its number is apart from those of the command.
      const input = { platform: by.platform, id: `${from.id}#question` }
      await change({ is: 'question', by, chat, question }, input).catch((error: unknown) =>
        emit({ is: 'trouble', where: 'dialog', why: 'a question could not be kept', error }),
      )
      if (answer.question?.passing !== true) return answer
      const { question: _kept, ...shown } = answer
      return shown
    },
  }
}

/** The line of the button whose words were typed, in any language; null if there is none. */
export function chosenBy(typed: string, { asked }: Waiting): string | null {
  const said = likeTyped(typed)
  const isSaid = (label: Message['buttons'][number]['label']) =>
    LANGUAGES.some((language) => likeTyped(inWords(label, language)) === said)
  return asked.buttons.find(({ label }) => isSaid(label))?.line ?? null
}

function likeTyped(words: string): string {
  return words
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/[.!]+$/, '')
    .trim()
}

export const CANCELS = /^\/?cancel$/i
/** How people leave a question. */
export const LEAVING = /^(?:stop|quit|exit|never ?mind|no|nope|nothing|abbrechen|abbruch)[.!]*$/i

export function cancelled(waiting: Waiting | null): Message {
  return say(words(waiting ? 'ask.cancelled' : 'ask.nothing-to-cancel'))
}

/** Repeats a question after an answer that does not fit. The reason and its corrections come first. */
export function askAgain({ asked, question }: Waiting, wrong: Message): Message {
  if (wrong.question) return wrong
  const lines = new Set(wrong.buttons.map(({ line }) => line))
  const buttons = [...wrong.buttons, ...asked.buttons.filter(({ line }) => !lines.has(line))]
  return { ...asked, items: [...wrong.items, ...asked.items], buttons, question }
}
