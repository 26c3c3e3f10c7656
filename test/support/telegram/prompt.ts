import { errorText } from '../../../src/lib/text/error-text.ts'
import { FAULT_KINDS, type FaultKind } from './faults.ts'
import type { Group } from './groups.ts'
import type { User } from './people.ts'
import type { Telegram } from './telegram.ts'
import type { Occurrence } from './world.ts'

interface Prompt {
  /** Does what a line says; false ends it. */
  line(text: string): boolean
  /** What stands before the cursor: who writes, and where. */
  where(): string
}

export const HELP = `Type what the person says. Or:
  :as NAME            be somebody else (in their private chat)
  :in CHAT            private, or the title of a group or channel
  :group TITLE        make a group and go there; also :supergroup, :forum, :channel
  :topic NAME         open a topic and go there
  :tap N | :tap LABEL tap a button of the newest message that has it
  :block :unblock     the bot, by this person
  :kick :add          the bot, from and to this chat
  :promote :demote    the bot here; with a name, that person
  :migrate            this group becomes a supergroup
  :fault METHOD KIND [TIMES] [AFTER_MS]   such as :fault sendMessage hang; kinds are
                      ${FAULT_KINDS.join(', ')}
  :calm               no more faults
  :show               this chat as it looks now
  :asked              the newest requests of the bot
  :quit`

/** Talking to the bot by hand: one person at a time, in one chat at a time. */
export function createPrompt(telegram: Telegram, say: (line: string) => void): Prompt {
  const users = new Map<string, User>()
  const groups = new Map<string, Group>()
  const user = (name: string) => {
    const found = users.get(name) ?? telegram.user(name, { username: `${name.toLowerCase()}_here` })
    users.set(name, found)
    return found
  }
  let who = user('Ann')
  let group: Group | null = null
  let thread: number | null = null
  const place = () => ({ id: group?.id ?? who.id, thread })
  const go = (to: Group | null, topic: number | null = null) => {
    group = to
    thread = topic
  }
  const here = () => {
    if (!group) throw new Error('that needs a group: :group TITLE makes one, :in TITLE goes there')
    return group
  }
  const made = (title: string, made: Group) => {
    groups.set(title, made)
    go(made)
  }
  const commands: Record<string, (argument: string) => void> = {
    as(name) {
      who = user(name)
      go(null)
    },
    in(title) {
      const found = groups.get(title)
      if (!found && title !== 'private') {
        throw new Error(`there are private, ${[...groups.keys()].join(', ')}; :group TITLE makes a group`)
      }
      go(found ?? null)
    },
    group: (title) => made(title, telegram.group(title, { owner: who })),
    supergroup: (title) => made(title, telegram.group(title, { owner: who, supergroup: true })),
    forum: (title) => made(title, telegram.group(title, { owner: who, forum: true })),
    channel: (title) => made(title, telegram.channel(title, { owner: who })),
    topic: (name) => go(here(), here().topic(name).thread),
    tap(button) {
      const tapped = who.taps(/^\d+$/.test(button) ? Number(button) : button, { in: place() })
      const look = () => {
        const [answer] = tapped.answers
        if (answer?.text) say(`  ${answer.alert ? 'an alert' : 'a toast'} says: ${answer.text}`)
      }
      telegram
        .until(() => tapped.answers.length > 0)
        .then(look, () => say('  the button goes on turning: the bot has not answered the tap'))
    },
    block: () => who.blocks(),
    unblock: () => who.unblocks(),
    kick: () => here().kick(),
    add: () => here().add(),
    promote: (name) => here().promote(name === '' ? undefined : user(name)),
    demote: (name) => here().demote(name === '' ? undefined : user(name)),
    migrate: () => void here().migrate(),
    fault(words) {
      const [method = '', kind = '', times = '1', afterMs = '0'] = words.split(/\s+/)
      if (!isKind(kind)) throw new Error(`a fault is one of ${FAULT_KINDS.join(', ')}`)
      telegram.fault({ method, kind, times: Number(times), afterMs: Number(afterMs) })
    },
    calm: () => telegram.calm(),
    show: () => say(telegram.ledger.shows(thread === null ? place().id : place())),
    asked() {
      for (const { method, status, outcome, description } of telegram.asked.slice(-10)) {
        say(`  ${method} ${outcome} ${status || ''} ${description}`.trimEnd())
      }
    },
    help: () => say(HELP),
  }
  return {
    line(text) {
      const [, name = '', argument = ''] = /^:(\w*)\s*(.*)$/.exec(text.trim()) ?? []
      if (name === 'quit') return false
      try {
        if (!text.trim().startsWith(':')) {
          if (text.trim() !== '') who.says(place(), text)
          return true
        }
        const command = Object.hasOwn(commands, name) ? commands[name] : undefined
        if (!command) throw new Error(`there is no :${name}; :help says what there is`)
        command(argument.trim())
      } catch (error) {
        say(`  ${errorText(error)}`)
      }
      return true
    },
    where: () => `${who.name}${group ? ` in ${group.title}` : ''}${thread === null ? '' : ` #${thread}`}`,
  }
}

/** What a chat shows when something happens in it; nothing of what the person typed themselves. */
export function told(telegram: Telegram, { is, message, method }: Occurrence): string | null {
  if (method === null && !message.service) return null
  const chat = `[${message.chat.title}] `
  if (is === 'deleted') return `${chat}message ${message.id} is deleted`
  return `${chat}${telegram.ledger.entry(message)}`
}

function isKind(kind: string): kind is FaultKind {
  return (FAULT_KINDS as readonly string[]).includes(kind)
}
