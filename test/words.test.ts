import { describe, expect, test } from 'vitest'

import { type Name, namesIn, wordsOf } from './support/names.ts'
import { filesToAdd } from './support/shown.ts'
import { readSources, type Sources } from './support/sources.ts'

/**
 * Words that no name says any more, and the words in their place. A word counts wherever it stands in a name; with `=` it
 * is refused as the whole name (`create` before it does not matter), with `file`, `type` or `value` as the whole name of a file, a type or an export.
 */
const GLOSSARY = `
owner, owners → wallet
guard, guards, guarded, guarding, guardings → monitor; protective where an order protects
watchlist → threshold index
=until, until at → bounds, stable within
feed, feeds → source
book, books → dex
outbox turn → dispatch round
tick, ticks → mono
roster → listed markets
=holders → wallets by market
file judged → subject
=remembered → snapshot
happened, happening → occurred, occurrence
cleared → resolved
sighted → recovered
unheeded → gave up
repeated → reminder
summed, sum up → summary, summarize
heed, heeded, unheard → acknowledgement
ringing, rung → unacknowledged, loud criticals
value step → advance
type step, new step, trail, trails → timeline entry, timeline
chain, chains → escalation
memo, memos → state
fold, folds → detect
=carry → tier under
=room → headroom
endangers → about liquidation
endangered → at risk
=lacks → not shown by venue
in force → describe merged
=said, said in → notice
amended, withdrawn, as sent at → annotated, without stale reminders, with delay note
telling → wording
=told, told in → notice, outage notices
=also, also told → escalation, copy to
hearer, hearers, hears, concerned → recipients, affected
agreement, agreements → delegation
helper, helpers → delegate
stand in → fallback of
handed → handover
copies → escalated to
untaken → undelivered
=over, relief elsewhere → relief
type note, done, quoted, value tidying → ack note, close quote note, remove buttons
held → suppressed
=rest, rest over, rest of → quiet period
=merge, merging → coalesce
crowded → limit buttons
=present → restate
untold → pending notices
go blind, see again → report outage, report recovery
dark → failing since, gaps
=sight, returned → last success, recovered at
=unanswered, is unanswered → wallet outage
=lit, want, unwanted, unwanted now → recovered, start watching, stop watching
=gone, tell gone, gone severity → closed position, describe close
ending, endings → close record
=closing → close outcome, reduce option
=evidence → close evidence, read along
passed → touched liquidation
rescue → deleverage
costs → deleverage text
=fate, fates → order outcomes, delivery status
=rates → funding samples
=look → evaluation context, attempt
type turn, turns, turn of → outcome, read interval, input kind
learned → observed
slices → chunks
piles → by chat
value recall, recalled → warm start, restored
unseen → stale
aged, only worse → with staleness, never better
=stop, begin anew → suspension, restart
=jump, move by → clock jump, shift by
breather → yield to event loop
soundness → store health
touched deadlines, =touched → affected deadlines
unmoved, drifted, =still → unchanged, moved liquidation, is idempotent
asks, =demand, distances → read demand, read priority, nearest liquidation
=past, pasts, would have → recording, trade history, backtest
course → price series
beside → merged with
holes → gaps
closely → full resolution
cry → storage alarm
trials → probes
=gates, holds → send gates, platform pauses
file flights, rows, alarm → in the file that uses it
dress, dresser → localize
urgency → priority
proof, prove → test message
=played → run drill
=press, pressing, pressed, link to → action link, action result
=reach, reached → egress
quoting → close quotes
supply, spent → venue load, request usage
standstill → frozen prices
=opens, hints → trade activity, trade hints
fitting → freshness
pushing, in passing → push, unsolicited
=unread → failed parts
=plug, variables → plugins, config
misspelt → misspelled
brief → push title
only told → notify only
=naming → destination name
unfit → invalid destination
for operator → operator notices
vitals → stats
`

/** Where a word has a meaning of its own, as `path: name`, each with its reason. */
const OWN_MEANING: readonly (readonly [where: RegExp, reason: string])[] = [
  [/^src\/venues\/(?:hyperliquid|lighter\/push)\/feed\.ts: /, 'the feed that a venue pushes'],
  [/^src\/venues\/sim\/exchange\/book\.ts: /, 'the book of orders'],
  [/^src\/venues\/(sim|perps-data)\/\S+: \w*chain/i, 'the blockchain of a market'],
  [/^src\/lib\/data\/paged\.ts: \w*chains$/i, 'linked lists in arrays'],
  [/^src\/venues\/sim\/endpoints\/\S+: ofOwner$/, 'a parameter of the venue’s interface'],
  [/^src\/(venues|engine\/(backtest|memory))\/\S+: Held$/, 'the positions or the money of an account'],
  [/^src\/venue\/joint-margin\.ts: Told$/, 'what somebody was told before'],
  [/^src\/engine\/observe\/merge\.ts: merge$/, 'two views of one wallet'],
  [/^src\/alert\/backtest\.ts: Present$/, 'the present, where a backtest ends'],
  [/^src\/runtime\/egress\.ts: unanswered$/, 'a request without an answer'],
  [/^src\/ops\/metrics\/labels\.ts: /, 'labels that dashboards read keep their spelling'],
  [/^src\/ops\/ending\.ts: ending$/, 'the end of the process with the replay'],
  [/^adapters\/\w+(\/send)?\/render\.ts: (create)?Look$/, 'how a message looks'],
]

/** Names that are still to be changed. This list may only grow shorter. */
const STILL = new Set(
  `
  Beside Course courseOf Dark darkTimes endingOf Evidence isUnanswered NONE_PASSED Past
  REPEATED_AFTER_MIN ringingWith rungBefore Step step Turns
  `
    .trim()
    .split(/\s+/),
)

interface Entry {
  words: readonly string[]
  whole: boolean
  kind: Name['kind'] | null
  instead: string
}

const ENTRIES = GLOSSARY.trim().split('\n').flatMap(entriesOf)

function entriesOf(line: string): Entry[] {
  const [left = '', instead = ''] = line.split(' → ')
  let kind: Entry['kind'] = null
  let whole = false
  // A mark goes for what follows it in its line.
  return left.split(', ').map((one) => {
    const [, mark = '', words = ''] = /^(=|file |type |value )?(.*)$/.exec(one) ?? []
    if (mark !== '') whole = true
    if (mark.endsWith(' ')) kind = mark.trim() as Entry['kind']
    return { words: words.split(' '), whole, kind, instead }
  })
}

function oldNames(sources: Sources): string[] {
  return namesIn(sources).flatMap(({ path, kind, name }) => {
    const entry = ENTRIES.find((one) => (one.kind ?? kind) === kind && matches(wordsOf(name), one))
    const said = `${path}: ${name}`
    return !entry || OWN_MEANING.some(([where]) => where.test(said)) ? [] : [`${said} → ${entry.instead}`]
  })
}

function matches(words: readonly string[], entry: Entry): boolean {
  const rest = words[0] === 'create' ? words.slice(1) : words
  if (entry.whole && rest.length !== entry.words.length) return false
  return words.some((_word, at) => entry.words.every((word, n) => words[at + n] === word))
}

test('every name says the field’s word', () => {
  const isStill = (one: string) => STILL.has(/: (\S+) →/.exec(one)?.[1] ?? '')
  expect(oldNames(new Map([...readSources(), ...filesToAdd()])).filter((one) => !isStill(one))).toEqual([])
})

describe('a name is refused', () => {
  test.each([
    ['as a file', 'src/venue/owner.ts', '', 'owner → wallet'],
    ['as a part of a file', 'src/venue/owner-view.ts', '', 'owner-view → wallet'],
    ['as a type', 'src/venue/x.ts', 'export interface OwnerView {}', 'OwnerView → wallet'],
    ['as a type of one file', 'src/venue/x.ts', 'type Owners = string', 'Owners → wallet'],
    ['as a function', 'src/venue/x.ts', 'export function shortOwner() {}', 'shortOwner → wallet'],
    ['as a function that waits', 'src/venue/x.ts', 'export async function ownerOf() {}', 'ownerOf → wallet'],
    ['as a constant', 'src/venue/x.ts', 'export const MAX_OWNERS = 20', 'MAX_OWNERS → wallet'],
    [
      'by two words',
      'src/engine/x.ts',
      'export const goBlind = 1',
      'goBlind → report outage, report recovery',
    ],
    ['as a whole', 'src/outbox/x.ts', 'export interface Gates {}', 'Gates → send gates, platform pauses'],
    [
      'as what is created',
      'src/outbox/x.ts',
      'export const createGates = 1',
      'createGates → send gates, platform pauses',
    ],
    ['of its kind', 'src/engine/x.ts', 'export function step() {}', 'step → advance'],
  ])('%s', (_how, path, text, told) => {
    expect(oldNames(new Map([[path, text]]))).toEqual([`${path}: ${told}`])
  })
})

describe('nothing is refused of', () => {
  test.each([
    ['a longer word', 'src/venue/x.ts', 'export const feedback = 1'],
    ['a name that only its file knows', 'src/venue/x.ts', 'function owner() {}\nconst guard = 1'],
    ['a field', 'src/venue/x.ts', 'export interface X {\n  owner: string\n}'],
    ['a comment or a string', 'src/venue/x.ts', `// type Owner = 1\nconst a = 'export const owner = 1'`],
    ['a longer name than the whole', 'src/outbox/x.ts', 'export interface SendGates {}'],
    ['another kind', 'src/engine/evaluate/step.ts', ''],
    ['a meaning of its own', 'src/venues/hyperliquid/feed.ts', 'export function createFeed() {}'],
  ])('%s', (_what, path, text) => {
    expect(oldNames(new Map([[path, text]]))).toEqual([])
  })
})
