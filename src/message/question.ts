import { type Button, item, type Message, message, type Question, type Text, words } from './message.ts'

/** The last word of a line that asks for its next word without choices: people then type it. */
export const ASK = '?'

/** Leaves a question. */
export const CANCEL: Button = { label: words('ask.cancel'), line: '/cancel', replace: true }

/** Whether a button leads to an answer of people's own. */
export function isOther({ line }: Pick<Button, 'line'>): boolean {
  return line.endsWith(` ${ASK}`)
}

/** The line that the answer behind such a button completes. */
export function startOf(line: string): string {
  return line.slice(0, -ASK.length - 1)
}

/**
 * A question with its likely answers. The next message of the person is taken as the answer as well. `only`: one of the
 * choices is needed, so that there is nothing to type.
 */
export function asking(
  title: Text,
  question: Question,
  choices: readonly Button[],
  { lines = [], only = false }: { lines?: Text[]; only?: boolean } = {},
): Message {
  const other: Button[] = only
    ? []
    : [{ label: words('ask.other'), line: `${question.start} ${ASK}`, replace: true }]
  // Without any choice, a platform opens the keyboard at once.
  const buttons = choices.length === 0 ? [] : [...choices, ...other, CANCEL]
  return message([item('plain', title, lines)], { buttons, question })
}

/** The question alone, without its choices. */
export function withoutChoices(answer: Message): Message {
  if (!answer.question) return answer
  return { ...answer, items: answer.items.map((one) => ({ ...one, buttons: [] })), buttons: [] }
}
