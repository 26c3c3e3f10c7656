import type { Answer, Api } from './api.ts'
import type { Reply } from './state.ts'
import type { MessageView } from './wire.ts'

type Answered = Answer<{ answer: MessageView | null }>

/** Says lines to Perch, and puts each answer in its place on the page. */
export interface Answers {
  say(place: string, line: string): Promise<boolean>
  call(place: string, command: string, args: Readonly<Record<string, string>>): Promise<boolean>
  /** The same request once more: where it had arrived, nothing happens twice. */
  again(place: string): Promise<boolean>
  ask(place: string, start: string, label: string): void
}

interface Given {
  api: Pick<Api, 'line' | 'call'>
  newId(): string
  /** Until when the reader has seen what they answer there: the server's wall time. */
  seenUntil(place: string): number
  at(place: string): Reply | undefined
  /** Null takes an answer away. */
  put(place: string, reply: Reply | null): void
  /** The session is over. */
  over(): void
}

/** Each returns whether Perch has answered. */
export function createAnswers({ api, newId, seenUntil, at, put, over }: Given): Answers {
  const requests = new Map<string, () => Promise<Answered>>()

  async function send(place: string, id: string, line: string): Promise<boolean> {
    const before = at(place)
    put(place, { is: 'asking', line, id, before: before?.is === 'said' ? before.message : null })
    const answer = (await requests.get(id)?.()) ?? { is: 'unreachable' }
    // A later request has taken the place.
    const current = at(place)
    if (current?.is !== 'asking' || current.id !== id) return answer.is === 'ok'
    if (answer.is === 'refused' && answer.status === 401) {
      over()
      return false
    }
    if (answer.is !== 'ok') {
      put(place, { is: 'failed', line, id, says: answer.is === 'refused' ? answer.says : null })
      return false
    }
    requests.delete(id)
    put(place, answer.body.answer === null ? null : { is: 'said', message: answer.body.answer })
    return true
  }

  function begin(
    place: string,
    line: string,
    request: (id: string, seenUntil: number) => Promise<Answered>,
  ): Promise<boolean> {
    const [id, seen] = [newId(), seenUntil(place)]
    requests.set(id, () => request(id, seen))
    return send(place, id, line)
  }

  return {
    say: (place, line) => begin(place, line, (id, seenUntil) => api.line({ id, line, seenUntil })),
    call: (place, command, args) =>
      begin(place, command, (id, seenUntil) => api.call({ id, seenUntil, command, args })),
    async again(place) {
      const failed = at(place)
      return failed?.is === 'failed' && (await send(place, failed.id, failed.line))
    },
    ask(place, start, label) {
      const said = at(place)
      if (said?.is !== 'said') return
      const question = { start, prompt: label, placeholder: '' }
      put(place, { is: 'said', message: { ...said.message, question } })
    },
  }
}
