import { errorText } from '../../../src/lib/text/error-text.ts'
import type { Fault } from './faults.ts'
import type { Person } from './people.ts'
import { textOf } from './readable.ts'
import type { Discord } from './server.ts'

const HELP = `A line beginning with / is a command as you would type it: /positions wallet:main
:as NAME [manager]   be another member         :in CHANNEL [KIND]  go to a channel (text, announcement, thread, forum)
:dm                  go to direct messages     :tap LABEL          tap a button
:complete LINE       see what autocomplete offers for the last option of the line
:kick  :invite       the bot leaves or joins the server
:close  :open        your direct messages      :install  :uninstall  the app for yourself
:fault ROUTE KIND [STATUS] [TIMES]             such as :fault POST /channels/:id/messages status 500 3
:gateway drop | reconnect | invalid | resume | close CODE | acks on|off | refuse on|off  (and a shard behind it)
:shards N            Discord asks for so many, and closes those of a smaller number with 4011
:show                what this place shows     :requests           how many requests there were
:help  :quit`

interface Prompt {
  /** "#general as ann> " */
  shown(): string
  /** False when it was told to quit. */
  line(typed: string): Promise<boolean>
}

/** Discord by hand: what a person types into it. */
export function createPrompt(discord: Discord, say: (text: string) => void): Prompt {
  const guild = discord.guild('Server')
  let who: Person = guild.member('you', { manageServer: true })
  let where: { id: string; name: string } = guild.channel('general')
  let shown = '#general'
  const placeName = new Map<string, string>([[where.id, shown]])

  discord.listen((event) => {
    if (event.is !== 'message' && event.is !== 'edit' && event.is !== 'removal') return
    const { place, visibleTo, silent } = event.message
    const marks = [
      event.is === 'edit' ? 'edited' : '',
      silent ? 'silent' : '',
      visibleTo ? `only ${visibleTo.name}` : '',
    ]
    const at = placeName.get(place.id) ?? (place.guild ? `#${place.name}` : `@${place.name}`)
    const said = event.is === 'removal' ? '(deleted)' : textOf(event.message)
    say(`${at} Perch ${marks.filter(Boolean).join(', ')}\n${said.replaceAll(/^/gm, '  ')}`)
  })
  const goTo = (place: { id: string; name: string }, name: string) => {
    where = place
    shown = name
    placeName.set(place.id, name)
  }
  const complete = async (line: string) => {
    const [, before = '', option = '', typed = ''] = /^(.*)\s([^\s:]+):([^:]*)$/.exec(line) ?? []
    if (!option) return say('Write the option at the end, such as :complete /positions wallet:ma')
    const choices = await who.types(before, option, typed, {}, where).choices()
    return say(choices.map(({ name, value }) => `  ${name} → ${value}`).join('\n') || '  (nothing)')
  }
  const obey = async (word: string, rest: string): Promise<void> => {
    const [first = '', second = '', third = ''] = rest.split(/\s+/)
    switch (word) {
      case 'as':
        who = second ? guild.member(first, { manageServer: second === 'manager' }) : guild.member(first)
        if (shown.startsWith('@')) goTo(who.dm, `@${who.name}`)
        return
      case 'in':
        return goTo(guild.channel(first, { kind: kindOf(second) }), `#${first}`)
      case 'dm':
        return goTo(who.dm, `@${who.name}`)
      case 'tap':
        return void who.taps(rest, where)
      case 'complete':
        return complete(rest)
      case 'kick':
        return guild.kicks()
      case 'invite':
        return guild.invites()
      case 'close':
      case 'open':
        return who.closesMessages(word === 'close')
      case 'install':
      case 'uninstall':
        return who.installs(word === 'install')
      case 'fault':
        return discord.fault(readFault(rest))
      case 'gateway':
        return turnGateway(discord, first, second, third)
      case 'shards':
        return askForShards(discord, Number(first))
      case 'show':
        return say(discord.ledger.shows(where, who) || '(nothing)')
      case 'requests':
        return say(JSON.stringify(discord.ledger.counts(), null, 2))
      default:
        return say(HELP)
    }
  }
  return {
    shown: () => `${shown} as ${who.name}> `,
    async line(typed) {
      const line = typed.trim()
      if (line === ':quit') return false
      try {
        if (line.startsWith('/')) who.runs(line, {}, where)
        else if (line) {
          const [, word = '', rest = ''] = /^:?(\S+)\s*(.*)$/.exec(line) ?? []
          await obey(line.startsWith(':') ? word : 'help', rest)
        }
      } catch (error) {
        say(errorText(error))
      }
      return true
    },
  }
}

function kindOf(word: string): 'text' | 'announcement' | 'thread' | 'forum' {
  return word === 'announcement' || word === 'thread' || word === 'forum' ? word : 'text'
}

const KINDS: readonly Fault['kind'][] = [
  'status',
  'html',
  'hang',
  'reset',
  'half-body',
  'delay',
  'deliver-then-500',
  'deliver-then-reset',
  'deliver-then-hang',
]

function readFault(rest: string): Fault {
  const words = rest.split(/\s+/)
  const at = words.findIndex((word) => KINDS.includes(word as Fault['kind']))
  if (at < 1) throw new Error(`:fault ROUTE KIND [STATUS] [TIMES]; a kind is one of ${KINDS.join(', ')}`)
  const [status, times] = words.slice(at + 1).map(Number)
  return {
    route: words.slice(0, at).join(' '),
    kind: words[at] as Fault['kind'],
    ...(status ? { status } : {}),
    ...(times ? { times } : {}),
  }
}

function askForShards({ gateway }: Discord, shards: number): void {
  if (!Number.isInteger(shards) || shards < 1) throw new Error(':shards N')
  gateway.asksFor(shards)
  gateway.close(4011)
}

function turnGateway({ gateway }: Discord, what: string, how: string, last: string): void {
  const hasWord = what === 'close' || what === 'acks' || what === 'refuse'
  const named = hasWord ? last : how
  const shard = named === '' ? undefined : Number(named)
  if (shard !== undefined && !Number.isInteger(shard)) throw new Error(`"${named}" is no shard`)
  if (what === 'drop') gateway.drop(shard)
  else if (what === 'reconnect') gateway.reconnect(shard)
  else if (what === 'invalid' || what === 'resume') gateway.invalidate(what === 'resume', shard)
  else if (what === 'close') gateway.close(Number(how) || 1000, shard)
  else if (what === 'acks') gateway.withholdAcks(how === 'off')
  else if (what === 'refuse') gateway.refuse(how !== 'off', shard)
  else throw new Error(`The gateway does not know "${what}"; see :help`)
}
