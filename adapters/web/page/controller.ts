import type { StreamEvent } from '../../../src/lib/text/event-stream.ts'
import { createAnswers } from './answers.ts'
import type { Answer, Api } from './api.ts'
import { createEditor } from './editor.ts'
import type { Fragment } from './fragment.ts'
import { base64url, type Push } from './push.ts'
import {
  arranged,
  type DoorNote,
  type Editor,
  news,
  type News,
  type Open,
  opened,
  type Part,
  type Reply,
  seenIn,
  type State,
  withEntry,
} from './state.ts'
import { keepStream } from './stream.ts'
import { PUSH } from './views/more.ts'
import { EDITOR } from './views/rules.ts'
import type { Actions } from './views/view.ts'
import type { Glance, MessageView } from './wire.ts'
import type { World } from './world.ts'

/** The state of the page, and everything that changes it. */
export interface Controller {
  state(): State
  /** The server's wall time, in milliseconds. */
  now(): number
  /** For how long nothing has come from Perch; null while it is heard. */
  silentMs(): number | null
  act: Actions
  begin(fragment: Fragment): Promise<void>
  /** Somebody touches the page now. */
  touched(): void
  /** The page is in sight again, or the network is back. */
  wake(): void
}

/** Perch says something at least every ten seconds. Twelve without a word mean that the page may be old. */
const SILENT_MS = 12_000
/** A thumb that has just touched the page may be about to tap again. */
const BUSY_MS = 5_000
/** The line whose answer fills a part of the page, and its place there. */
const LINES: Partial<Record<Part, readonly [place: string, line: string]>> = {
  alerts: ['alerts', '/alerts'],
  history: ['history', '/history'],
  more: ['status', '/status'],
}

/** Answers to what was done offer what comes next, and refusals do not. */
function offers(given: Reply | undefined, start: string): boolean {
  return given?.is === 'said' && given.message.buttons.some(({ line }) => line.startsWith(start))
}

interface Given {
  world: World
  api: Api
  push: Push
  /** The state is another one: draw it. */
  changed(): void
  /** A glance has come. `events` are to be said aloud. */
  glanced(glance: Glance, events: readonly News[]): void
  /** The stream was cut and is back. */
  reconnected(): void
}

export function createController({ world, api, push, changed, glanced, reconnected }: Given): Controller {
  const { mono } = world
  let state: State = { is: 'starting' }
  let ahead = 0
  /** The clock of another machine may answer now: the next glance alone tells the time. */
  let isClockNew = false
  let heardAt = mono()
  let touchedAt = -Infinity
  let stream: ReturnType<typeof keepStream> | null = null

  const now = () => mono() + ahead
  const set = (next: State) => {
    state = next
    changed()
  }
  const change = (next: (open: Open) => Partial<Open>) => {
    if (state.is === 'open') set({ ...state, ...next(state) })
  }
  const leave = (note: DoorNote | null, hasDiscord = false) => {
    stream?.stop()
    stream = null
    set({ is: 'door', note, isOpening: false, hasDiscord })
  }
  const refused = (answer: Exclude<Answer<unknown>, { is: 'ok' }>, note: DoorNote | null) => {
    if (answer.is === 'unreachable') leave('unreachable')
    else leave(note, answer.hasDiscord)
  }
  const ended = () => leave('ended')

  const answers = createAnswers({
    ...{ api, newId: world.newId, over: ended },
    seenUntil: (place) => (state.is === 'open' ? seenIn(state, place) : 0),
    at: (place) => (state.is === 'open' ? state.answers.get(place) : undefined),
    put: (place, reply) => change((open) => ({ answers: withEntry(open.answers, place, reply) })),
  })
  const editor = createEditor({
    ...{ api, world },
    editor: () => (state.is === 'open' ? state.editor : null),
    put: (next: Partial<Editor>) => change((open) => ({ editor: { ...open.editor, ...next } })),
  })

  function hear({ event, data }: StreamEvent): void {
    if (event === 'over') return ended()
    if (event === 'elsewhere') {
      stream?.stop()
      return change(() => ({ isElsewhere: true }))
    }
    const body: unknown = JSON.parse(data)
    if (event === 'glance') take(body as Glance)
    if (event === 'said')
      change((open) => ({
        answers: withEntry(open.answers, 'news', { is: 'said', message: body as MessageView }),
      }))
  }

  function take(glance: Glance): void {
    if (state.is !== 'open') return
    // The glance that was the least delayed tells the time best.
    ahead = Math.max(isClockNew ? -Infinity : ahead, glance.at - mono())
    isClockNew = false
    const keys = glance.positions.map(({ key }) => key)
    const order = arranged(state.order, keys, mono() - touchedAt < BUSY_MS)
    const events = news(state.glance, glance)
    const { part, glance: before } = state
    change(() => ({ glance, order }))
    glanced(glance, events)
    if (before !== null && before.reader.language !== glance.reader.language) speakAnew(part)
  }

  /** Answers and forms are in the language that the reader has just left. */
  function speakAnew(part: Part): void {
    change((open) => ({ answers: new Map(), editor: { ...open.editor, forms: null, attempt: null } }))
    void fill(part)
  }

  function listen(): void {
    stream?.stop()
    heardAt = mono()
    let isFirst = true
    stream = keepStream(
      (signal) => api.events(signal),
      {
        opened() {
          isClockNew = !isFirst
          if (!isFirst) reconnected()
          isFirst = false
        },
        alive() {
          heardAt = mono()
        },
        event: hear,
        over: ended,
      },
      world,
    )
  }

  async function look(part: Part, note: DoorNote | null): Promise<void> {
    const answer = await api.session()
    if (answer.is !== 'ok') return refused(answer, note)
    ahead = answer.body.at - mono()
    set(opened(answer.body.name, part))
    listen()
    await fill(part)
  }

  async function signIn(proof: Parameters<Api['signIn']>[0], part: Part): Promise<void> {
    if (state.is === 'door') set({ ...state, note: null, isOpening: true })
    const answer = await api.signIn(proof)
    if (answer.is === 'ok') await look(part, 'refused')
    else refused(answer, answer.is === 'refused' && answer.says !== null ? { says: answer.says } : 'refused')
  }

  /** Asks for the words of a part of the page. */
  async function fill(part: Part): Promise<void> {
    const [place, line] = LINES[part] ?? []
    if (place !== undefined && line !== undefined) void answers.say(place, line)
    if (part === 'alerts') await editor.load()
    if (part === 'more') {
      const found = await push.look()
      change(() => ({ push: found }))
    }
  }

  /** Brings up to date what an answer in that place has changed elsewhere on the page. */
  async function follow(place: string, isAnswered: Promise<boolean>): Promise<void> {
    if (!(await isAnswered) || state.is !== 'open') return
    const given = state.answers.get(place)
    if (place === PUSH && offers(given, '/drill')) change(() => ({ push: { is: 'on' } }))
    if (place !== EDITOR) return
    // A new alert can be removed at once. After a refusal the form keeps what was typed.
    if (offers(given, '/remove R')) editor.clear()
    await answers.say('alerts', '/alerts')
  }

  async function setRule(): Promise<void> {
    const call = editor.call()
    if (call !== null) await follow(EDITOR, answers.call(EDITOR, call.command, call.args))
  }

  async function switchPush(): Promise<void> {
    change(() => ({ push: { is: 'asking' } }))
    const key = await api.pushKey()
    const turned = key.is === 'ok' ? await push.turnOn(key.body.key) : null
    if (turned === null || 'is' in turned)
      return change(() => ({ push: turned ?? { is: 'impossible', why: 'failed' } }))
    // A line has no place for quotation marks.
    const line = `/settings push ${base64url(JSON.stringify(turned.subscription))}`
    await follow(PUSH, answers.say(PUSH, line))
    // Perch has not taken it.
    change(({ push: now }) => ({ push: now.is === 'asking' ? { is: 'off' } : now }))
  }

  /** Somebody who leaves a borrowed machine must not believe that their session has ended while it goes on. */
  async function signOut(): Promise<void> {
    const answer = await api.signOut()
    if (answer.is === 'ok' || (answer.is === 'refused' && answer.status === 401)) return ended()
    refused(answer, answer.is === 'refused' && answer.says !== null ? { says: answer.says } : 'unreachable')
  }

  const act: Actions = {
    enter: (code) => void signIn({ code: code.toUpperCase() }, 'positions'),
    go(part) {
      change(() => ({ part }))
      void fill(part)
    },
    say: (place, line) => void follow(place, answers.say(place, line)),
    ask: answers.ask,
    sayAgain: (place) => void follow(place, answers.again(place)),
    close: (place) => change((open) => ({ answers: withEntry(open.answers, place, null) })),
    toggleChart: (key, isOpen) => change(({ charts }) => ({ charts: withEntry(charts, key, isOpen) })),
    show: (span) => change(() => ({ span })),
    choose: editor.choose,
    type: editor.type,
    setRule: () => void setRule(),
    switchPush: () => void switchPush(),
    signOut: () => void signOut(),
    goOnHere() {
      change(() => ({ isElsewhere: false }))
      listen()
    },
  }

  return {
    ...{ state: () => state, now, act },
    silentMs() {
      const silent = mono() - heardAt
      return state.is === 'open' && silent > SILENT_MS ? silent : null
    },
    begin({ code, initData, part, isRefused }) {
      if (code !== null) return signIn({ code }, part)
      if (initData !== null) return signIn({ initData }, part)
      return look(part, isRefused ? 'refused' : null)
    },
    touched() {
      touchedAt = mono()
    },
    wake() {
      if (state.is === 'open' && !state.isElsewhere) stream?.again()
    },
  }
}
