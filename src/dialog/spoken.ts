import type { Inbound } from '../chat/bot.ts'
import { nearest } from '../lib/text/nearest.ts'
import { price as priceFigure } from '../message/figure.ts'
import { item, message, words as sentence } from '../message/message.ts'
import { type Amount, toNumber } from '../venue/amount.ts'
import { shortWallet, type Wallet } from '../venue/wallet.ts'
import { foreignAddress, walletsIn } from './parse/addresses.ts'
import { choices } from './parse/choices.ts'
import { understood } from './parse/forms.ts'
import { isFiller, lineOf, LONGEST_SENTENCE, saidBack, tokens } from './parse/phrases.ts'
import { didYouMean, misread, notUnderstood } from './parse/replies.ts'
import { requestIn } from './parse/requests.ts'
import { sentenceRule } from './parse/sentence-rules.ts'
import { type Asker, smallTalk, type Spoken } from './parse/small-talk.ts'
import { isMarketName, match, type Vocabulary } from './parse/vocabulary.ts'

/**
 * Reads words that are no command: an address, a market, a rule, a command in a sentence, small talk. Otherwise null.
 * Nothing is changed unless the words say so.
 */
export function spoken(
  typed: string,
  from: Pick<Inbound, 'private' | 'whisper'>,
  vocabulary: Vocabulary,
): Spoken | null {
  const asker: Asker = { vocabulary, isPrivate: from.private || from.whisper }
  const isSlashed = typed.startsWith('/')
  const words = tokens(isSlashed ? typed.slice(1) : typed)
  const plain = plainOf(words)
  const said = plain.join(' ').trim().toLowerCase()
  const first = addressed(words, asker) ?? (isSlashed ? null : asCommand(plain, vocabulary))
  const talk = first ?? smallTalk(said, asker) ?? marketAlone(plain, vocabulary)
  if (isSlashed) return talk ?? mistypedCommand(words, vocabulary)
  return (
    talk ??
    sentenceRule(words, asker) ??
    figureAlone(plain, vocabulary) ??
    requestIn(words, asker) ??
    marketIn(plain, vocabulary) ??
    commandFirst(words, vocabulary)
  )
}

/** Words that begin a question of a person's own. */
const ASKS = /^(?:what|what['’]?s|how|why|where|show|was|wie|warum|wo|zeig)$/i
const SHORTEST_QUESTION = 3

/** Reads an address, a symbol or a question that is typed while a question waits for something else. */
export function aside(
  typed: string,
  from: Pick<Inbound, 'private' | 'whisper'>,
  vocabulary: Vocabulary,
): Spoken | null {
  const words = tokens(typed)
  const asker: Asker = { vocabulary, isPrivate: from.private || from.whisper }
  const found = addressed(words, asker)
  if (found) return found
  if (words.length === 1) return marketAlone(plainOf(words), vocabulary)
  const isQuestion = words.length >= SHORTEST_QUESTION && ASKS.test(words[0] ?? '')
  const request = isQuestion ? requestIn(words, asker) : null
  return request?.is === 'line' ? request : null
}

function plainOf(words: readonly string[]): string[] {
  return words.map((word) => word.replace(/(?<=.)[,;:!.…?)]+$|^[¿¡(]+/gu, ''))
}

/** `/alrt eth belwo 2300`: a command that only shows something runs, another one is asked about. */
function mistypedCommand([first = '', ...rest]: readonly string[], vocabulary: Vocabulary): Spoken | null {
  const names = vocabulary.commands.flatMap((one) => [one.name, ...one.aliases])
  const near = nearest(first, names)
  const command = near === null ? undefined : commandNamed(near, vocabulary)
  if (!command) return null
  const found = understood(command, rest, vocabulary)
  if (found.is === 'unclear') return { is: 'answer', answer: found.answer }
  if (!found.parsed.ok)
    return { is: 'answer', answer: misread(found.parsed, found.form, found.start, vocabulary) }
  const line = `/${command.name} ${lineOf(rest)}`.trimEnd()
  return 'ask' in command ? { is: 'line', line } : { is: 'answer', answer: didYouMean(line) }
}

const MAX_OFFERED_WALLETS = 5

/** Finds wallets anywhere in the text: a watched one is shown, another one is offered. */
function addressed(words: readonly string[], { vocabulary, isPrivate }: Asker): Spoken | null {
  const typed = words.join(' ')
  const { wallets, wrong } = walletsIn(typed)
  const [only, ...others] = wallets
  if (!only) {
    const why = wrong ?? foreignAddress(typed)
    return why === null ? null : { is: 'answer', answer: message([item('plain', why)]) }
  }
  if (!isPrivate) return { is: 'line', line: `/watch ${only}` }
  const [verb = ''] = words
  if (others.length === 0 && /^follow$/i.test(verb))
    return { is: 'line', line: `/follow ${lineOf([only, ...labelIn(words)])}` }
  if (others.length === 0 && /^(?:watch|add|track|monitor)$/i.test(verb))
    return { is: 'line', line: `/watch ${lineOf([only, ...labelIn(words)])}` }
  if (others.length === 0 && /^(?:unwatch|untrack|unfollow|remove|delete)$/i.test(verb))
    return { is: 'line', line: `/unwatch ${only}` }
  const watches = vocabulary.view.named(vocabulary.personId)
  const isWatched = (wallet: Wallet) => watches.some((watch) => watch.wallet === wallet)
  if (others.length === 0 && isWatched(only)) return { is: 'line', line: `/positions ${only}` }
  const buttons = wallets.slice(0, MAX_OFFERED_WALLETS).map((wallet) => ({
    label:
      others.length === 0
        ? sentence('parse.button.watch-it')
        : sentence(isWatched(wallet) ? 'parse.button.show' : 'parse.button.watch', {
            what: shortWallet(wallet),
          }),
    line: `/${isWatched(wallet) ? 'positions' : 'watch'} ${wallet}`,
    replace: others.length === 0,
  }))
  const title =
    others.length === 0
      ? sentence('parse.watch', { wallet: shortWallet(only) })
      : sentence('parse.watch.several')
  return { is: 'answer', answer: message([item('plain', title)], { buttons }) }
}

const NO_LABEL =
  /^(?:wallets?|address|account|called|named|label|labelled|as|name|new|0x[0-9a-f]{40}|\S*[:/.]\S*)$/i

/** `watch my main wallet 0x… please`: the words that can be its name. */
function labelIn(words: readonly string[]): readonly string[] {
  return words.slice(1).filter((word) => !isFiller(word) && !NO_LABEL.test(word))
}

/** A command without its slash, where all of its words are understood. */
function asCommand(plain: readonly string[], vocabulary: Vocabulary): Spoken | null {
  const [first = '', ...words] = plain.filter((word) => !/^(?:please|pls|plz)$/.test(word))
  const command = commandNamed(first, vocabulary)
  // `ping me when …` asks for an alert.
  if (!command || (/^ping$/i.test(first) && words.length > 0)) return null
  const rest = words.every(isFiller) ? [] : words
  const found = understood(command, rest, vocabulary)
  return found.is === 'form' && found.parsed.ok
    ? { is: 'line', line: `/${command.name} ${lineOf(rest)}`.trimEnd() }
    : null
}

/** Words that are no request, after the name of a command: its own answer says what it takes. */
function commandFirst([first = '', ...rest]: readonly string[], vocabulary: Vocabulary): Spoken | null {
  const command = commandNamed(first, vocabulary)
  return command ? { is: 'line', line: `/${command.name} ${lineOf(rest)}`.trimEnd() } : null
}

function commandNamed(word: string, { commands }: Vocabulary): Vocabulary['commands'][number] | undefined {
  const name = word.replace(/^\//, '').toLowerCase()
  return commands.find((one) => one.name === name || one.aliases.includes(name))
}

/** `BTC`, `$eth`, `how is btc`, `bitcoin`. */
function marketAlone(plain: readonly string[], vocabulary: Vocabulary): Spoken | null {
  if (plain.length > LONGEST_SENTENCE) return null
  const [only, ...more] = plain.filter((word) => plain.length === 1 || !isFiller(word))
  if (only === undefined || more.length > 0) return null
  return isMarketName(only, vocabulary) || /^\$[a-z]\w*$/i.test(only) ? marketLine(only) : null
}

/** The one market that a sentence names; several are offered. */
function marketIn(plain: readonly string[], vocabulary: Vocabulary): Spoken | null {
  if (plain.length > LONGEST_SENTENCE) return null
  const [only, ...more] = new Set(plain.filter((word) => !isFiller(word) && isMarketName(word, vocabulary)))
  if (only === undefined) return null
  if (more.length === 0) return marketLine(only)
  const buttons = [only, ...more].slice(0, MAX_OFFERED_WALLETS).map((name) => ({
    label: name.toUpperCase(),
    line: `/market ${name}`,
    replace: true,
  }))
  return { is: 'answer', answer: message([item('plain', sentence('ask.market'))], { buttons }) }
}

function marketLine(name: string): Spoken {
  return { is: 'line', line: `/market ${lineOf([name])}` }
}

/** A price is plausible within this share of the present one. */
const PLAUSIBLE = 0.4
const MAX_OFFERED_MARKETS = 3

/** A figure that nobody asked for: offers it as a price of the markets where it would be one. */
function figureAlone(plain: readonly string[], vocabulary: Vocabulary): Spoken | null {
  const [word = '', ...more] = plain
  if (more.length > 0 || !/^[-+]?\$?[\d.,]*\d[kmb%]?\$?$/i.test(word)) return null
  const found = match({ argument: 'price', asks: '', words: [] }, word, vocabulary)
  const level = found.is === 'value' ? toNumber(found.value as Amount) : null
  const near = choices({ argument: 'market', asks: '', words: [] }, vocabulary).flatMap(({ value }) => {
    const market = [...vocabulary.view.listed().values()].find((one) => one.value.symbol === value)?.value
    const now = market ? toNumber(market.price) : 0
    return level !== null && Math.abs(level / now - 1) <= PLAUSIBLE ? [{ symbol: value, now }] : []
  })
  const title =
    level === null || near.length === 0
      ? sentence('parse.figure', { figure: saidBack(word) })
      : sentence('parse.figure.price', { level: priceFigure(level) })
  const buttons = near.slice(0, MAX_OFFERED_MARKETS).map(({ symbol, now }) => {
    const way = (level ?? 0) > now ? 'above' : 'below'
    return {
      label: sentence('parse.button.level', { market: symbol, way, level: word }),
      line: `/alert price ${symbol} ${way} ${word}`,
      replace: true,
    }
  })
  const share = word.endsWith('%')
    ? [
        {
          label: sentence('parse.button.liquidation', { share: word }),
          line: `/alert liq ${word}`,
          replace: true,
        },
      ]
    : []
  const others = notUnderstood(word, vocabulary).buttons
  const all = [...buttons, ...share, ...others]
  return { is: 'answer', answer: message([item('plain', title)], { buttons: all }) }
}
