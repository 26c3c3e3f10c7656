import type { Kind } from '../alert.ts'
import type { Bot, Choice, Inbound, Inspection } from '../chat.ts'
import type { Clock } from '../clock.ts'
import type { Command, Context, Form, Read, Recall, View } from '../command.ts'
import type { Emit } from '../event.ts'
import { inOrder } from '../lib/in-order.ts'
import { say } from '../message.ts'
import type { Message } from '../message.ts'
import { GUEST } from '../person.ts'
import type { Chat, Person } from '../person.ts'
import type { Change, Changed, InputId } from '../store.ts'
import { admit } from './access.ts'
import type { Speaker } from './access.ts'
import { fieldsOf, parseArguments, parseOptions } from './arguments.ts'
import type { Parsed } from './arguments.ts'
import { fitted } from './bounds.ts'
import { choices } from './choices.ts'
import { createRate } from './rate.ts'
import { misread, unknownCommand, unknownForm } from './replies.ts'
import { lineOf, tokens } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

type Dialog = Pick<Bot, 'commands' | 'audience' | 'greet' | 'line' | 'call' | 'suggest'>

/** Platforms take no more suggestions than this (Discord's autocomplete). */
const SUGGESTIONS = 25

interface World {
  commands: readonly Command[]
  kinds: readonly Kind[]
  introduction: readonly string[]
  view: View
  read: Read
  recall: Recall
  clock: Clock
  emit: Emit
  limits: { wallets: number; rules: number; commandsPerMinute: number }
  /** Who this is; whoever may use the bot without being invited is met here. */
  meet(from: Inbound): Promise<Speaker>
  /** The same from memory. */
  recognise(from: Inbound): Speaker
  change(change: Change, input: InputId): Promise<Changed>
  inspect(from: Inbound, chat: string | null): Promise<Inspection | null>
  newCode(): string
  isClaim(code: string): boolean
  quit(): void
}

/** One thing that was asked for: which command, in which form, how its arguments are read. */
interface Request {
  command: Command
  form: Form
  parse(vocabulary: Vocabulary): Parsed
  /** The command with its form. */
  start: string
  /** What was typed so far, for buttons that complete it. */
  typed: string
}

/** Turns what people say into commands, and always has an answer. */
export function createDialog(world: World): Dialog {
  const { commands, view, clock, emit, limits } = world
  const perPerson = inOrder()
  const rate = createRate(limits.commandsPerMinute)

  const findCommand = (name: string) =>
    commands.find((one) => one.name === name || one.aliases.includes(name))
  const vocabularyOf = (personId: number): Vocabulary => ({ view, personId, commands })

  async function run(from: Inbound, { command, form, parse, start, typed }: Request): Promise<Message> {
    const started = clock.tick()
    const done = (outcome: 'answered' | 'refused' | 'failed', message: Message) => {
      const ms = clock.tick() - started
      emit({ is: 'command', platform: from.by.platform, command: command.name, ms, outcome })
      return message
    }
    if (!rate.allows(identityKey(from), started)) {
      return done(
        'refused',
        say(`That is more than ${limits.commandsPerMinute} commands a minute. Wait a little, please.`),
      )
    }
    try {
      const speaker = await world.meet(from)
      const admission = admit(command, from, speaker)
      if (admission.is === 'refused') return done('refused', say(admission.why))
      const { person, chat } = admission
      const vocabulary = vocabularyOf(person.id)
      const parsed = parse(vocabulary)
      if (!parsed.ok) return done('refused', misread(parsed, form, start, typed, vocabulary))
      return done('answered', await command.run(contextOf(from, person, chat), form, parsed.args))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      emit({ is: 'trouble', where: `/${command.name}`, why, error })
      return done('failed', say('That did not work, and the operator can see why. Please try again.'))
    }
  }

  function contextOf(from: Inbound, person: Person, chat: Chat | null): Context {
    let changes = 0
    const { kinds, read, recall, introduction, newCode, isClaim, quit } = world
    const known = { from, person, chat, view, read, recall, kinds, commands, introduction, limits }
    return {
      ...known,
      newCode,
      isClaim,
      quit,
      // Whoever has waited for the venue looks again: an age counts until the answer.
      get reader() {
        return { now: clock.now(), zone: person.zone }
      },
      inspect: (where) => world.inspect(from, where),
      change: (change) => world.change(change, { platform: from.by.platform, id: `${from.id}#${changes++}` }),
    }
  }

  async function answerLine(from: Inbound, text: string): Promise<Message> {
    const [first = '', ...words] = tokens(text)
    if (first === '') return say('Say /help to see what I can do.')
    const name = first.replace(/^\//, '').toLowerCase()
    const command = findCommand(name)
    if (!command) return stranger(from) ?? unknownCommand(first, name, commands)
    const named = words[0]?.toLowerCase() ?? ''
    const chosen = command.forms.find(
      (one) => one.name !== '' && (one.name === named || one.aliases.includes(named)),
    )
    const form = chosen ?? command.forms.find((one) => one.name === '')
    if (!form) return stranger(from) ?? unknownForm(command, words[0] ?? '')
    const rest = chosen ? words.slice(1) : words
    const start = `/${command.name}${chosen ? ` ${chosen.name}` : ''}`
    const typed = `${start} ${lineOf(rest)}`.trim()
    const parse = (vocabulary: Vocabulary) => parseArguments(form, rest, vocabulary)
    return run(from, { command, form, start, typed, parse })
  }

  async function inTurn(from: Inbound, answer: () => Promise<Message>): Promise<Message> {
    return fitted(await perPerson(identityKey(from), answer))
  }

  /** Whoever is not known learns nothing from trying words. */
  function stranger(from: Inbound): Message | null {
    const help = commands.find(({ who }) => who === 'person')
    const speaker = world.recognise(from)
    const admission = help && speaker.person === null && !speaker.local ? admit(help, from, speaker) : null
    return admission?.is === 'refused' ? say(admission.why) : null
  }

  return {
    commands,
    audience(from, name) {
      const audience = findCommand(name.split(' ')[0] ?? '')?.audience ?? 'person'
      if (audience === 'place') return from.whisper ? 'person' : 'chat'
      if (audience !== 'bound') return audience
      return !from.private && from.mayConfigure && world.recognise(from).bound ? 'chat' : 'person'
    },
    greet: (from) => inTurn(from, () => answerLine(from, '/start')),
    line: (from, text) => inTurn(from, () => answerLine(from, text)),
    call: (from, name, args) =>
      inTurn(from, async () => {
        const [base = '', which = ''] = name.split(' ')
        const command = findCommand(base)
        const form = command?.forms.find((one) => one.name === which)
        if (!command || !form) return unknownCommand(name, base, commands)
        const parse = (vocabulary: Vocabulary) => parseOptions(form, args, vocabulary)
        return run(from, { command, form, start: `/${name}`, typed: `/${name} ${given(args)}`.trim(), parse })
      }),
    suggest(from, name, argument, typed): readonly Choice[] {
      const [base = '', which = ''] = name.split(' ')
      const form = findCommand(base)?.forms.find((one) => one.name === which)
      const field = form && fieldsOf(form).find((one) => one.name === argument)
      if (!field) return []
      const wanted = typed.trim().toLowerCase()
      const place = ({ label, value }: Choice) => `${value} ${label}`.toLowerCase().indexOf(wanted)
      return choices(field.meta, vocabularyOf(world.recognise(from).person?.id ?? GUEST.id))
        .filter((choice) => place(choice) >= 0)
        .toSorted((a, b) => Number(place(a) > 0) - Number(place(b) > 0))
        .slice(0, SUGGESTIONS)
    },
  }
}

function identityKey({ by }: Inbound): string {
  return `${by.platform} ${by.user}`
}

/** Typed options as somebody would have typed them. */
function given(options: unknown): string {
  const values = typeof options === 'object' && options !== null ? Object.values(options) : []
  return lineOf(values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String))
}
