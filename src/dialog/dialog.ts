import type { Bot, Choice, Inbound } from '../chat/bot.ts'
import type { Asked } from '../chat/holdings.ts'
import type { Command } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { inOrder } from '../lib/flow/in-order.ts'
import { errorText } from '../lib/text/error-text.ts'
import { createPerMinute } from '../lib/time/per-minute.ts'
import { identityKey } from '../message/address.ts'
import { type Item, item, type Message, message, say, type Text, words } from '../message/message.ts'
import type { Picture } from '../message/picture.ts'
import { ASK, withoutChoices } from '../message/question.ts'
import { FULL, fullAnswer, isFullAnswer } from '../people/cell.ts'
import { GUEST, type Person, STRANGER } from '../people/person.ts'
import type { Waiting } from '../people/question.ts'
import type { Emit } from '../runtime/event.ts'
import type { InputId } from '../store/change.ts'
import { inputOf } from './action-press.ts'
import { admit, hearLanguage, type Speaker } from './access.ts'
import { asker, dataOf } from './ask.ts'
import { contextOf, type ContextWorld } from './command-context.ts'
import { createPendingFiles, withFile } from './files/intake.ts'
import { fitted } from './fit.ts'
import { aboutPlace, notBound, placeBound, placeNamed } from './named-place.ts'
import { parseOptions } from './parse/arguments.ts'
import { suggested } from './parse/choices.ts'
import { fieldsOf } from './parse/fields.ts'
import { type Understood, understood } from './parse/forms.ts'
import { misread, notUnderstood } from './parse/replies.ts'
import type { Spoken } from './parse/small-talk.ts'
import { aside, spoken } from './spoken.ts'
import { tokens } from './parse/phrases.ts'
import type { Vocabulary } from './parse/vocabulary.ts'
import { CANCELS, cancelled, chosenBy, createQuestions, LEAVING, askAgain } from './questions.ts'
import { createStrangers } from './strangers.ts'

type Dialog = Pick<
  Bot,
  'commands' | 'audience' | 'greet' | 'line' | 'decline' | 'call' | 'ask' | 'asked' | 'suggest'
>

/** Answers to lines that were sent as one message: each its first line. */
const MAX_LINES_SHOWN = 9
/** Discord's autocomplete takes at most this many choices. */
const SUGGESTIONS = 25
/** The answer when a platform delivers a command again whose answer was cut off by a restart. */
const INTERRUPTED = [words('dialog.interrupted'), words('dialog.interrupted.see')] as const

interface World extends ContextWorld {
  commands: readonly Command[]
  emit: Emit
  limits: Context['limits'] & { commandsPerMinute: number }
  /** Finds the person. Creates one if they may use the bot without an invitation. */
  meet(from: Inbound): Promise<Speaker>
  /** The same from memory, without creating anybody. */
  recognise(from: Inbound): Speaker
  /** Whether this input took effect in an earlier run. */
  seen(input: InputId): Promise<boolean>
  /** A picture follows the answer that is said in that chat now. */
  follow(chatId: number, picture: Picture<Text>): void
  /** Writes the answer in the number style and zone of the person who asked. */
  localize(message: Message, from: Inbound): Message
}

/** A command, and how its form and arguments are read. */
interface Request {
  command: Command
  /** The bound chat that the line names. */
  place?: string | null
  /** The question that the line answers: an answer that does not fit repeats it. */
  waiting?: Waiting | null
  read(vocabulary: Vocabulary): Understood
}

/**
 * Turns messages from people into commands. Returns an answer to every message; it is empty where Perch stays silent.
 */
export function createDialog(world: World): Dialog {
  const { commands, view, clock, emit, limits } = world
  const perPerson = inOrder()
  const allowance = createPerMinute(limits.commandsPerMinute)
  const warned = createPerMinute(1)
  const strangers = createStrangers()
  const questions = createQuestions(world)
  const files = createPendingFiles(clock)

  const refused = (why: Text) => (why === FULL ? fullAnswer(world.nextCell) : say(why))
  const findCommand = (name: string) =>
    commands.find((one) => one.name === name || one.aliases.includes(name))
  /** Hides the commands that work only at the machine itself from everybody else. */
  const sayable = ({ local }: Speaker) => commands.filter(({ who }) => local || who !== 'local')
  const vocabularyOf = ({ id, numbers }: Person, speaker: Speaker): Vocabulary => ({
    view,
    personId: id,
    numbers,
    commands: sayable(speaker),
    kinds: world.kinds,
  })

  async function run(
    from: Inbound,
    { command, place = null, waiting = null, read }: Request,
  ): Promise<Message> {
    const started = clock.monotonic()
    const done = (outcome: 'answered' | 'refused' | 'failed', answer: Message) => {
      const ms = clock.monotonic() - started
      emit({ is: 'command', platform: from.by.platform, command: command.name, ms, outcome })
      return answer
    }
    try {
      const speaker = await world.meet(from)
      const admission = admit(command, from, speaker)
      if (admission.is === 'refused') return done('refused', refused(admission.why))
      const { person } = admission
      await hearLanguage(from, person, world)
      const inspect = (name: string) => world.inspect(from, name)
      const there = place === null ? null : await placeBound(place, person.id, { view, inspect })
      if (place !== null && there === null) return done('refused', say(...notBound(place)))
      if (await world.seen(inputOf(from, 0)).catch(() => false)) return done('answered', say(...INTERRUPTED))
      const vocabulary = vocabularyOf(person, speaker)
      const said = read(vocabulary)
      const about = (answer: Message) => (there === null ? answer : aboutPlace(answer, command, there))
      const asks = (answer: Message) => done('refused', about(waiting ? askAgain(waiting, answer) : answer))
      if (said.is === 'unclear') return asks(said.answer)
      const { form, start, parsed } = said
      if (!parsed.ok)
        return asks(misread(parsed, waiting ? { ...form, examples: [] } : form, start, vocabulary))
      const context = contextOf(world, from, person, there ?? admission.chat, {
        commands: sayable(speaker),
        isFull: speaker.isFull,
        files: files(person.id),
      })
      const answer = about(await command.run(context, form, parsed.args))
      return done('answered', wordsThenPicture(from, command, answer))
    } catch (error) {
      const why = errorText(error)
      emit({ is: 'trouble', where: `/${command.name}`, why, error })
      return done('failed', say(words('dialog.failed')))
    }
  }

  /** The words of an answer. Its picture follows them by itself, where those who see it may also read the answer. */
  function wordsThenPicture(from: Inbound, { audience }: Command, answer: Message): Message {
    const { picture, ...said } = answer
    const chat = view.chatAt(from.chat)
    const isFit = chat !== null && (from.private || audience === 'chat')
    // A message that an answer replaces may be tapped again and again.
    if (picture && isFit && from.inPlace !== true) world.follow(chat.id, picture)
    return said
  }

  /** Lines that each begin with a slash are commands of their own, as `/export` gives them. */
  async function answerLines(from: Inbound, text: string): Promise<Message> {
    const lines = text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
    if (lines.length < 2 || lines.some((line) => !line.startsWith('/'))) return answerLine(from, text)
    const titles: Item[] = []
    for (const [at, line] of lines.entries()) {
      const key = identityKey(from.by)
      if (at > 0 && !world.recognise(from).local && !allowance.allows(key, clock.monotonic())) {
        const left = lines.length - at
        return message([
          ...titles.slice(0, MAX_LINES_SHOWN),
          item(
            'warning',
            words('dialog.lines-left', { left: String(left), all: String(lines.length) }),
            lines.slice(at, at + 1),
          ),
        ])
      }
      const said = await answerLine({ ...from, id: `${from.id}/${at}` }, line)
      if (isStrange(from)) return said
      titles.push(
        item(
          'plain',
          line,
          said.items.slice(0, 1).map(({ title }) => title),
        ),
      )
    }
    const more = titles.length - MAX_LINES_SHOWN
    return message(
      titles.slice(0, MAX_LINES_SHOWN),
      more > 0 ? { footnote: words('dialog.more', { n: String(more) }) } : {},
    )
  }

  async function answerLine(from: Inbound, text: string): Promise<Message> {
    const asked = questions.waiting(from)
    const typed = text.trim()
    const fitting = asked && meantBy(from, typed, asked)
    const waiting = asked?.question.passing && fitting === null ? null : asked
    // An answer that does not fit repeats the question. Only an address or a symbol alone is no answer.
    const isAnswering = waiting !== null && !typed.startsWith('/')
    const heard = fitting === null ? await hear(from, typed, isAnswering ? aside : spoken) : null
    if (heard?.is === 'answer') return questions.settle(from, heard.answer)
    const meant = fitting ?? heard?.line ?? (isAnswering ? `${waiting.question.start} ${typed}` : typed)
    if (CANCELS.test(meant)) return questions.settle(from, cancelled(waiting))
    const words = tokens(meant)
    const isAsking = words.length > 1 && words.at(-1) === ASK
    const isAnswer = !isAsking && waiting !== null && meant.startsWith(`${waiting.question.start} `)
    const answer = await answerWords(from, isAsking ? words.slice(0, -1) : words, isAnswer ? waiting : null)
    return questions.settle(from, isAsking ? withoutChoices(answer) : answer)
  }

  /** The line that words mean while a question waits: its completion or a command. Null if they are neither. */
  function meantBy(from: Inbound, typed: string, waiting: Waiting): string | null {
    const { start, passing } = waiting.question
    const whole = `${start} ${typed}`
    if (typed.startsWith('/')) return CANCELS.test(typed) || requestOf(from, tokens(typed)) ? typed : null
    if (passing) return chosenBy(typed, waiting) ?? (isPlain(from, whole) ? whole : null)
    // Where any word is an answer, such as a city, a command is still a command.
    const takesAll = leads(from, `${start} ~`) === 'command'
    if (!takesAll && fits(from, whole)) return whole
    if (CANCELS.test(typed) || LEAVING.test(typed)) return '/cancel'
    return fits(from, typed) ? `/${typed}` : takesAll ? whole : null
  }

  /** Where a line leads; null where it fits nothing. */
  function leads(from: Inbound, line: string): 'command' | 'question' | null {
    const speaker = world.recognise(from)
    const read = requestOf(from, tokens(line))?.read(vocabularyOf(speaker.person ?? GUEST, speaker))
    if (!read) return null
    if (read.is === 'form' && read.parsed.ok) return 'command'
    const isAsked =
      read.is === 'form' ? !read.parsed.ok && read.parsed.missing !== null : read.answer.question
    return isAsked ? 'question' : null
  }

  const fits = (from: Inbound, line: string) => leads(from, line) !== null

  /** Whether every word of the line is understood by itself: none is a name, which any word could be. */
  function isPlain(from: Inbound, line: string): boolean {
    const speaker = world.recognise(from)
    const read = requestOf(from, tokens(line))?.read(vocabularyOf(speaker.person ?? GUEST, speaker))
    if (read?.is !== 'form' || !read.parsed.ok) return false
    const args = read.parsed.args as Readonly<Record<string, unknown>>
    return fieldsOf(read.form).every(({ name, meta }) => meta.argument !== 'text' || args[name] === undefined)
  }

  function requestOf(from: Inbound, [first = '', ...words]: readonly string[]): Request | null {
    const command = findCommand(first.replace(/^\//, '').toLowerCase())
    if (!command) return null
    const watches = view.watches(world.recognise(from).person?.id ?? 0)
    const place = placeNamed(command, from, words, new Set(watches.map(({ label }) => label)))
    return { command, place: place.name, read: (vocabulary) => understood(command, place.words, vocabulary) }
  }

  async function answerWords(
    from: Inbound,
    line: readonly string[],
    waiting: Waiting | null,
  ): Promise<Message> {
    const [first] = line
    if (first === undefined) return say(words('dialog.nothing-said'))
    const request = requestOf(from, line)
    if (request) return run(from, { ...request, waiting })
    const refusal = stranger(from)
    if (refusal) return refusal
    if (await world.seen(inputOf(from, 0)).catch(() => false)) return say(...INTERRUPTED)
    return lost(from, line.join(' '))
  }

  function lost(from: Inbound, typed: string): Message {
    const speaker = world.recognise(from)
    return notUnderstood(typed, vocabularyOf(speaker.person ?? GUEST, speaker))
  }

  /** In a group, people talk to each other: only a fitting answer to our question is for us. */
  function isForUs(from: Inbound, text: string): boolean {
    if (!from.overheard) return true
    const waiting = questions.waiting(from)
    if (waiting?.question.passing) return meantBy(from, text.trim(), waiting) !== null
    return waiting !== null && fits(from, `${waiting.question.start} ${text.trim()}`)
  }

  /** Reads words that are no command. Strangers learn nothing by trying words, so for them it is null. */
  async function hear(from: Inbound, typed: string, listen: typeof spoken): Promise<Spoken | null> {
    const [first = ''] = tokens(typed)
    if (first === '' || CANCELS.test(typed) || (first.startsWith('/') && requestOf(from, [first]) !== null))
      return null
    const known = world.recognise(from)
    const { person } = known.person === null ? await world.meet(from) : known
    const said = person && listen(typed, from, vocabularyOf(person, known))
    // A question that this message has answered is gone when the platform delivers the message again.
    const isRepeat = said?.is === 'answer' && (await world.seen(inputOf(from, 0)).catch(() => false))
    return isRepeat ? { is: 'answer', answer: say(...INTERRUPTED) } : said
  }

  /** Guests of a bound chat are limited by the send rate of that chat. */
  function isStrange(from: Inbound): boolean {
    const { person, bound, local } = world.recognise(from)
    return person === null && bound === null && !local
  }

  async function inTurn(from: Inbound, answer: () => Promise<Message>): Promise<Message> {
    return localized(await perPerson(laneOf(from), () => answerTo(from, answer)), from)
  }

  function localized(said: Message | null, from: Inbound): Message {
    return said === null ? message([]) : fitted(world.localize(said, from))
  }

  /** Null means silence: for strangers, and for people above their rate limit. */
  async function answerTo(from: Inbound, answer: () => Promise<Message>): Promise<Message | null> {
    const key = laneOf(from)
    const before = world.recognise(from)
    if (!before.local && !allowance.allows(key, clock.monotonic())) {
      if (before.person === null || !warned.allows(key, clock.monotonic())) return null
      return say(words('dialog.too-many', { most: String(limits.commandsPerMinute) }))
    }
    const said = await answer()
    if (before.person !== null || !isStrange(from)) return said
    const isRefusal = isFullAnswer(said) || said.items.some(({ title }) => title === STRANGER)
    const what = isRefusal ? 'refusal' : 'answer'
    return strangers.hears(key, what, clock.monotonic()) ? said : null
  }

  /** Strangers get one answer for every unknown word, so that they learn no commands by trying. */
  function stranger(from: Inbound): Message | null {
    const help = commands.find(({ who }) => who === 'person')
    const speaker = world.recognise(from)
    const admission = help && speaker.person === null && !speaker.local ? admit(help, from, speaker) : null
    return admission?.is === 'refused' ? refused(admission.why) : null
  }

  return {
    commands,
    audience(from, name) {
      const audience = findCommand(name.split(' ')[0] ?? '')?.audience ?? 'person'
      if (audience === 'place') return from.whisper ? 'person' : 'chat'
      if (audience !== 'bound') return audience
      return !from.private && from.mayConfigure && world.recognise(from).bound ? 'chat' : 'person'
    },
    // A start of the bot is no command of the person: their question goes on waiting.
    greet: (from) => inTurn(from, () => answerWords(from, ['/start'], null)),
    line(said, text) {
      const { from, line } = withFile(said, text, commands)
      return isForUs(from, line) ? inTurn(from, () => answerLines(from, line)) : Promise.resolve(message([]))
    },
    asked(from) {
      const waiting = questions.waiting(from)
      if (!waiting || waiting.question.passing) return null
      return world.localize(waiting.asked, from).question ?? null
    },
    decline: (from, words) => inTurn(from, async () => words),
    call: (from, name, args) =>
      inTurn(from, async () => {
        const [base = '', which = ''] = name.split(' ')
        const command = findCommand(base)
        const form = command?.forms.find((one) => one.name === which)
        if (!command || !form) return lost(from, `/${name}`)
        const read = (vocabulary: Vocabulary) =>
          ({ is: 'form', form, start: `/${name}`, parsed: parseOptions(form, args, vocabulary) }) as const
        const said = await run(from, { command, read })
        return from.whileTyping ? said : questions.settle(from, said)
      }),
    async ask(by, name, args) {
      const from = asker(by, name, clock.now())
      const command = findCommand(name)
      const [form] = command?.forms ?? []
      const found: Asked[] = []
      const look = command && dataOf(command, (data) => found.push({ is: 'data', data }))
      // It changes nothing, so nothing that the person asks for has to wait for it.
      const said = await answerTo(from, async () => {
        if (!look || !form) return stranger(from) ?? lost(from, `/${name}`)
        const read = (vocabulary: Vocabulary) =>
          ({ is: 'form', form, start: `/${name}`, parsed: parseOptions(form, args, vocabulary) }) as const
        return run(from, { command: look, read })
      })
      return found[0] ?? { is: 'said', message: localized(said, from) }
    },
    suggest(from, name, argument, typed): readonly Choice[] {
      const [base = '', which = ''] = name.split(' ')
      const form = findCommand(base)?.forms.find((one) => one.name === which)
      const field = form && fieldsOf(form).find((one) => one.name === argument)
      if (!field) return []
      const speaker = world.recognise(from)
      const vocabulary = vocabularyOf(speaker.person ?? GUEST, speaker)
      const likely = suggested(field.meta, typed, vocabulary)
      // Nobody confirms a loss by a slip of the Tab key.
      return likely.filter(({ value }) => value !== 'yes').slice(0, SUGGESTIONS)
    },
  }
}

/** The words of somebody have an order and a limit. Tries while they type have their own. */
function laneOf({ by, whileTyping }: Inbound): string {
  return `${identityKey(by)}${whileTyping ? ' typing' : ''}`
}
