import type { Command } from '../../command/command.ts'
import { edits } from '../../lib/text/nearest.ts'
import { fieldsOf } from './fields.ts'
import { type Understood, understood } from './forms.ts'
import { isFiller, lineOf, LONGEST_SENTENCE } from './phrases.ts'
import { didYouMean } from './replies.ts'
import type { Asker, Spoken } from './small-talk.ts'
import { isMarketName, match, type Vocabulary } from './vocabulary.ts'

// A command in a sentence: `how are my positions`, `price of eth`, `mute for 2 hours`.

interface Topic {
  /** The command, and its form where it has one. */
  line: string
  /** Words that mean it, in small letters. The first topic that is named counts. */
  words: readonly string[]
  /** It changes something, so each word of the sentence has to be understood. */
  changes?: true
}

const TOPICS: readonly Topic[] = [
  {
    line: '/pnl',
    words: [
      ...['made', 'earned', 'earn', 'earnings', 'realised', 'realized', 'profits', 'winnings'],
      ...['verdient', 'gewinn', 'gewonnen', 'verloren', 'ergebnis', 'lost'],
    ],
  },
  { line: '/settings zone', words: ['timezone', 'timezones', 'tz', 'zone', 'zeitzone'] },
  {
    line: '/settings',
    words: [
      'settings',
      'setting',
      'preferences',
      'einstellungen',
      'config',
      'configure',
      'setup',
      'language',
    ],
  },
  { line: '/shock', words: ['shock', 'crash', 'crashes', 'scenario', 'stress'] },
  { line: '/preview', words: ['preview', 'simulate'] },
  { line: '/mute', words: ['mute', 'silence', 'silent', 'pause', 'hush', 'stumm'], changes: true },
  { line: '/unmute', words: ['unmute', 'unpause', 'resume'], changes: true },
  { line: '/snooze', words: ['snooze', 'pausiere', 'pausieren'], changes: true },
  { line: '/ack', words: ['ack', 'acknowledge', 'bestätige', 'bestätigen'], changes: true },
  { line: '/history', words: ['history', 'happened', 'missed', 'yesterday', 'verlauf', 'gestern'] },
  { line: '/quiet', words: ['quiet', 'night', 'nights', 'ruhe', 'nacht', 'sleep', 'sleeping', 'bed'] },
  { line: '/preset', words: ['preset', 'presets', 'profil'], changes: true },
  { line: '/digest', words: ['digest', 'summary', 'report', 'daily', 'overview'] },
  { line: '/escalate', words: ['escalate', 'escalation', 'backup', 'fallback'] },
  { line: '/handover', words: ['handover'] },
  { line: '/drill', words: ['drill'], changes: true },
  { line: '/fix', words: ['fix', 'rescue', 'save', 'safer', 'ways', 'reduce', 'add margin'] },
  { line: '/why', words: ['why', 'explain'] },
  { line: '/orders twap', words: ['twap', 'twaps'] },
  {
    line: '/orders',
    words: ['order', 'orders', 'stops', 'stop', 'sl', 'tp', 'limit', 'limits', 'take-profit', 'stop-loss'],
  },
  {
    line: '/alerts',
    words: [
      'alert',
      'alerts',
      'rule',
      'rules',
      'alarme',
      'regeln',
      'alarm',
      'alarms',
      'notifications',
      'reminders',
      'firing',
    ],
  },
  { line: '/wallets', words: ['wallets', 'addresses', 'watchlist', 'watching', 'watched'] },
  { line: '/watch', words: ['watch', 'track', 'add', 'monitor'] },
  { line: '/follow', words: ['follow', 'copy', 'stalk', 'spy'] },
  { line: '/wallets', words: ['wallet', 'address'] },
  {
    line: '/history',
    words: ['past', 'log', 'logs', 'trades'],
  },
  { line: '/funding', words: ['funding', 'paying', 'pay', 'fundings', 'carry'] },
  {
    line: '/positions',
    words: [
      ...[
        'position',
        'positions',
        'pos',
        'posi',
        'liq',
        'liqs',
        'liquidation',
        'liquidated',
        'liquidations',
        'pnl',
        'upnl',
      ],
      ...[
        'profit',
        'loss',
        'portfolio',
        'holdings',
        'exposure',
        'risk',
        'safe',
        'danger',
        'margin',
        'leverage',
        'balance',
      ],
      ...[
        'account',
        'long',
        'longs',
        'short',
        'shorts',
        'doing',
        'losing',
        'winning',
        'equity',
        'bags',
        'rekt',
        'down',
        'up',
        'worried',
        'worry',
      ],
    ],
  },
  {
    line: '/markets',
    words: ['markets', 'coins', 'symbols', 'märkte', 'tokens', 'prices', 'pairs', 'assets'],
  },
  { line: '/market', words: ['price', 'kurs', 'preis', 'market', 'quote', 'chart', 'cost', 'rate'] },
  {
    line: '/status',
    words: ['status', 'alive', 'online', 'running', 'working', 'awake', 'uptime', 'health', 'ping', 'test'],
  },
  { line: '/export', words: ['export', 'download', 'csv', 'file'] },
  { line: '/invite', words: ['invite', 'friend'], changes: true },
  { line: '/link', words: ['link', 'connect'], changes: true },
  { line: '/forget', words: ['forget'], changes: true },
  { line: '/unwatch', words: ['unwatch', 'untrack', 'unfollow'], changes: true },
  { line: '/start', words: ['start', 'begin'] },
  { line: '/help', words: ['help', 'commands', 'how-to', 'tutorial', 'guide'] },
]
/** A word this long is recognized with one mistake in it, one of twice the length with two. */
const SHORTEST_MISTYPED = 4

/** Finds the command that a sentence asks for; null where it names none. */
export function requestIn(words: readonly string[], { vocabulary }: Asker): Spoken | null {
  if (words.length > LONGEST_SENTENCE) return null
  const plain = words
    .map((word) => word.replace(/^["“('’]+|[,;:.!?)"”]+$/g, ''))
    .filter((word) => word !== '')
  const said = withResult(plain.map((word) => word.toLowerCase()))
  const isMarket = (word: string) => isMarketName(word, vocabulary)
  const isExact = (one: string, word: string) => one === word
  const assumed = assumption(plain, vocabulary)
  if (assumed) return assumed
  const exact = topicOf(said, isExact, isMarket)
  const found = exact ?? topicOf(said, isMistyped, isMarket) ?? topicOf(said, isExact, () => true)
  if (!found) return null
  const { line, changes } = found.topic
  const [name = '', ...form] = line.slice(1).split(' ')
  const command = vocabulary.commands.find((one) => one.name === name)
  if (!command) return null
  const rest = plain.filter(
    (word, at) => at !== found.at && !isFiller(word) && !isTopicWord(found.topic, word),
  )
  const kept = form.length > 0 ? rest : argumentsIn(command, rest, vocabulary)
  const whole = [line, lineOf(kept)].filter((part) => part !== '').join(' ')
  const isClear = exact !== null && kept.length === rest.length
  return changes && !isClear ? { is: 'answer', answer: didYouMean(whole) } : { is: 'line', line: whole }
}

/** `make` means a result in `how much did I make`, and nothing elsewhere. */
function withResult(said: readonly string[]): readonly string[] {
  const isAsked = /^(?:how much|what) (?:did|do|have|will) (?:i|we) /.test(said.join(' '))
  return isAsked ? said.map((word) => (/^(?:make|lose)$/.test(word) ? 'made' : word)) : said
}

/** `what if btc drops 10%`, `what if I buy 1 eth`. */
function assumption(plain: readonly string[], vocabulary: Vocabulary): Spoken | null {
  const at = plain.findIndex((word) => /^(?:if|when)$/i.test(word))
  const isAsked = /^what (?:if|happens|would happen) /i.test(`${plain.join(' ')} `)
  const name = plain.some((word) => ORDERS.test(word)) ? 'preview' : 'shock'
  const command = vocabulary.commands.find((one) => one.name === name)
  if (!isAsked || at < 0 || !command) return null
  const words = plain.slice(at + 1).filter((word) => !/^(?:i|we|it|my|the|price)$/i.test(word))
  const plainer = words.filter((word) => !isFiller(word))
  const read = [words, plainer].find((one) => isRead(understood(command, one, vocabulary)))
  return { is: 'line', line: `/${name} ${lineOf(read ?? plainer)}`.trimEnd() }
}

const ORDERS = /^(?:buy|sell|close|open|long|short|add)$/i

/** Whether the words are understood, as far as they go. */
function isRead(found: Understood): boolean {
  return found.is === 'form' && (found.parsed.ok || found.parsed.missing !== null)
}

function topicOf(
  said: readonly string[],
  isWord: (one: string, word: string) => boolean,
  isMarket: (word: string) => boolean,
): { topic: Topic; at: number } | null {
  for (const topic of TOPICS) {
    const at = said.findIndex((word) => topic.words.some((one) => isWord(one, word)))
    const rest = said.filter((word, other) => other !== at && !isFiller(word))
    // `liquidaton price` is about no market.
    if (at >= 0 && (topic.line !== '/market' || rest.every(isMarket))) return { topic, at }
  }
  return null
}

function isTopicWord({ words }: Topic, word: string): boolean {
  return words.includes(word.toLowerCase())
}

function isMistyped(one: string, word: string): boolean {
  if (one.length < SHORTEST_MISTYPED || word.length < SHORTEST_MISTYPED || isFiller(word)) return false
  return edits(one, word) <= (Math.min(one.length, word.length) >= 2 * SHORTEST_MISTYPED ? 2 : 1)
}

/** The words of a sentence that are arguments of the command. */
function argumentsIn(command: Command, words: readonly string[], vocabulary: Vocabulary): readonly string[] {
  const reads = (typed: readonly string[]) => {
    const found = understood(command, typed, vocabulary)
    if (found.is !== 'form' || !found.parsed.ok) return false
    const isText = fieldsOf(found.form).some(({ meta }) => meta.argument === 'text')
    // Any words are a text, so a sentence is none without a figure.
    return !isText || typed.some((word) => /\d/.test(word)) || typed.length === 0
  }
  // The command itself says that it knows no such market.
  if (reads(words) || (command.name === 'market' && words.length === 1)) return words
  const fields = command.forms.flatMap((form) => fieldsOf(form))
  const kept = words.filter((word) =>
    fields.some(({ meta }) => {
      const found = match(meta, word, vocabulary)
      return found.is === 'value' || found.is === 'likely'
    }),
  )
  return reads(kept) ? kept : kept.slice(0, 1)
}
