import { age } from '../../message/figure.ts'
import { bounded } from '../../message/fit.ts'
import { type Item, item, type Text, words } from '../../message/message.ts'
import { type Source, type SourceKey, sourceOf, walletSource } from '../../venue/source.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { venueOfSource } from '../memory/sources.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import type { Reports } from '../monitors/turn.ts'
import { affectedChats, isAffected } from './audience.ts'
import { comparison, type Fresh, lastSeen, asLastKnown } from './last-known.ts'
import { alsoFailing, isWallet, outageIsKnown } from './outage.ts'
import { dexOf, sourceWords } from './wording.ts'

/** Characters of the reason: more would not fit an item. */
const REASON = 80
/** How long the return of a wallet waits for that of others, so that they are told together. */
const GATHER_MS = 60_000
/** Sources whose outage is told as one thing. */
type Sources = readonly [SourceKey, ...SourceKey[]]

/** Sources that fail from now on, or go on failing while some chats have yet to hear of it. */
export interface Lost {
  sources: Sources
  why: string
  /** The only chats that may not have heard of it; all that it concerns, where it is left out. */
  among?: Iterable<number>
}

/** Groups sources that are one thing to people: the markets of one dex go dark and come back together. */
export function asOne(drawers: Pick<Memory, 'markets'>, sources: readonly SourceKey[]): Sources[] {
  const groups = Map.groupBy(sources, (key) => {
    const source = sourceOf(key)
    const dex = source.is === 'market' ? dexOf(drawers, source.marketId) : null
    return dex === null ? key : `book/${dex}`
  })
  return [...groups.values()].flatMap(([first, ...others]): Sources[] => (first ? [[first, ...others]] : []))
}

/** Says once per chat that we cannot see, and what was last seen. States stay as they are. */
export function reportOutage(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets' | 'sources' | 'run'>,
  lost: readonly Lost[],
  now: number,
): { observed: Effect[]; reports: Reports } {
  const known = new Map<SourceKey, { since: number; why: string }>()
  for (const { sources, why } of lost)
    for (const source of sources)
      known.set(
        source,
        drawers.sources.blind.get(source) ?? {
          since: drawers.sources.lastSuccess.get(source)?.at ?? now,
          why,
        },
      )
  const fresh = [...known].filter(([source]) => !drawers.sources.blind.has(source))
  const told = new Map<number, { of: Lost; sources: SourceKey[] }[]>()
  function* chats(): Generator<number> {
    for (const of of lost) {
      for (const source of of.sources) {
        for (const chatId of of.among ?? affectedChats(drawers, source)) {
          note(chatId, of, source)
          yield chatId
        }
      }
    }
  }
  function note(chatId: number, of: Lost, source: SourceKey): void {
    const all = told.get(chatId) ?? []
    told.set(chatId, all)
    const last = all.at(-1)
    if (last?.of === of) last.sources.push(source)
    else all.push({ of, sources: [source] })
  }
  function decide(chatId: number): Decision[] {
    return (told.get(chatId) ?? []).flatMap(({ sources }) => {
      // A chat that was told of the outage, and not yet of the return, needs no second notice.
      const [first, ...others] = [...new Set(sources)].filter(
        (source) =>
          isAffected(drawers, source, chatId) && !drawers.sources.outageNotices.of(source).has(chatId),
      )
      return first === undefined ? [] : [blindIn(drawers, chatId, [first, ...others], known, now)]
    })
  }
  return {
    observed: fresh.map(([source, { since, why }]): Effect => ({
      is: 'outage',
      source,
      since,
      why,
      at: now,
    })),
    reports: { chats: chats(), decide },
  }
}

function blindIn(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets' | 'sources' | 'run'>,
  chatId: number,
  sources: Sources,
  all: ReadonlyMap<SourceKey, { since: number; why: string }>,
  now: number,
): Decision {
  const known = (source: SourceKey) => all.get(source) ?? { since: now, why: '' }
  const named = namesOf(sources)
  const since = Math.min(...sources.map((source) => known(source).since))
  const lines: Text[] = [
    words('outage.since', { at: { time: since, as: 'clock' }, why: shortened(known(sources[0]).why) }),
    ...lastSeen(drawers, named, chatId),
    ...alsoFailing(drawers, sources[0], chatId),
    ...goesOn(named[0]),
    ...rulesThatWait(drawers, named, chatId),
  ]
  const isKnown = outageIsKnown(drawers, sources[0], chatId, since)
  const what = sourceWords(drawers, named, chatId)
  const title = isKnown ? words('outage.title-too', { what }) : words('outage.title', { what })
  const rows = sources.map((source): Effect => ({ is: 'source', row: { source, chatId, ...known(source) } }))
  return report(chatId, sources[0], now, item('blind', title, lines), rows, isKnown)
}

/** A reason, or as much of it as fits before an ellipsis. */
function shortened(why: string): string {
  const points = [...why]
  return points.length <= REASON ? why : `${points.slice(0, REASON - 1).join('')}…`
}

function namesOf([first, ...others]: Sources): readonly [Source, ...Source[]] {
  return [sourceOf(first), ...others.map(sourceOf)]
}

/** The most rules that one line names. */
const MAX_NAMED_RULES = 5

/** The rules about markets that cannot be seen: where a market never comes back, only people can end them. */
function rulesThatWait(
  { rules: { rulesOn } }: Pick<Memory, 'rules'>,
  sources: readonly Source[],
  chatId: number,
): Text[] {
  const ids = sources
    .flatMap((source) => (source.is === 'market' ? [...rulesOn.of(source.marketId).values()] : []))
    .flatMap((rule) => (rule.chatId === chatId ? [`R${rule.id}`] : []))
  const [first] = ids
  if (first === undefined) return []
  const named = ids.slice(0, MAX_NAMED_RULES).join(', ')
  const more = ids.length - MAX_NAMED_RULES
  const rules = more > 0 ? words('outage.rules-more', { rules: named, more }) : named
  return [words('outage.waits', { rules, many: ids.length, first })]
}

/** Tells people what they may rely on meanwhile. */
function goesOn(source: Source): Text[] {
  if (source.is === 'orders') return [words(source.of === 'twaps' ? 'outage.twaps' : 'outage.orders')]
  if (source.is === 'margin') return [words('outage.margin')]
  return 'wallet' in source ? [words('outage.wallet')] : [words('outage.prices')]
}

/**
 * Reports the return to the chats that were told of the outage: its time, and how positions compare with the
 * last known.
 */
export function reportRecovery(
  look: EvaluationContext,
  sources: ReadonlySet<SourceKey>,
  fresh: Fresh,
  before: Fresh = asLastKnown(look.memory),
): { observed: Effect[]; reports: Reports } {
  const { memory, mono } = look
  const observed: Effect[] = []
  for (const source of sources)
    if (memory.sources.blind.has(source)) observed.push({ is: 'recovered', source, mono })
  const returning = new Map<number, Set<SourceKey>>()
  function decide(chatId: number): Decision[] {
    const told = [...(returning.get(chatId) ?? [])].filter((source) =>
      memory.sources.outageNotices.of(source).has(chatId),
    )
    // A chat that is told that a wallet is back is told of its parts with it.
    const whole = new Set(told)
    const parts = told.filter((source) => whole.has(walletOf(source, memory.run.venues)))
    return asOne(
      memory,
      told.filter((source) => !parts.includes(source)),
    ).map((group) => {
      const within = parts.filter((source) => walletOf(source, memory.run.venues) === group[0])
      return returnIn(look, chatId, group, within, { before, fresh })
    })
  }
  return { observed, reports: { chats: whoReturns(look, sources, returning), decide } }
}

function walletOf(source: SourceKey, venues: readonly string[]): SourceKey {
  const part = sourceOf(source)
  const isPart = 'wallet' in part && part.is !== 'wallet'
  return isPart ? walletSource(part.wallet, venueOfSource(part, venues)) : ''
}

function returnIn(
  { memory, now }: EvaluationContext,
  chatId: number,
  sources: Sources,
  within: readonly SourceKey[],
  seen: { before: Fresh; fresh: Fresh },
): Decision {
  const named = namesOf(sources)
  const sinceOf = (source: SourceKey) => memory.sources.outageNotices.of(source).get(chatId)?.since ?? now
  const since = Math.min(...[...sources, ...within].map(sinceOf))
  const lines: Text[] = [blindText(since, now), ...comparison(memory, named, chatId, seen)]
  const said = item('good', words('outage.back', { what: sourceWords(memory, named, chatId) }), lines)
  const effects = [...sources, ...within].flatMap((source): Effect[] => [
    { is: 'source-gone', source, chatId },
    { is: 'gap', gap: { chatId, source, since: sinceOf(source), until: now } },
  ])
  return report(chatId, sources[0], now, said, effects)
}

/** Two times of the clock would be the same minute. */
const SHORT_MS = 120_000

function blindText(since: number, now: number): Text {
  if (now - since < SHORT_MS) return words('outage.lasted', { span: age(now - since) })
  const clock = (time: number) => ({ time, as: 'clock' }) as const
  return words('outage.lasted-from', { from: clock(since), until: clock(now), span: age(now - since) })
}

/**
 * By chat, the sources whose return is told now: wallets of a venue that come back one after the other are one message.
 */
function* whoReturns(
  { memory, mono }: EvaluationContext,
  sources: ReadonlySet<SourceKey>,
  all: Map<number, Set<SourceKey>>,
): Generator<number> {
  const venueOf = (source: SourceKey) => venueOfSource(sourceOf(source), memory.run.venues)
  const tell = (source: SourceKey, chatId: number) =>
    all.set(chatId, (all.get(chatId) ?? new Set()).add(source))
  for (const source of sources) {
    const patient = mono - (memory.sources.recoveredAt.get(source) ?? mono) < GATHER_MS
    for (const chatId of memory.sources.outageNotices.of(source).keys()) {
      const others = isWallet(source)
        ? [...memory.sources.outageNoticesByChat.of(chatId).keys()].filter(
            (one) => isWallet(one) && !sources.has(one) && venueOf(one) === venueOf(source),
          )
        : []
      const stillBlind = others.some((one) => memory.sources.blind.has(one))
      if (stillBlind && patient) continue
      tell(source, chatId)
      for (const one of others) if (!memory.sources.blind.has(one)) tell(one, chatId)
      yield chatId
    }
  }
}

function report(
  chatId: number,
  source: SourceKey,
  now: number,
  item: Item,
  effects: readonly Effect[],
  known = false,
): Decision {
  const isReturn = item.tone === 'good'
  const quiet = isReturn || known
  const reason = isReturn ? 'recovered' : 'outage'
  const decision = silent(chatId, [...effects])
  const said = { severity: 'warning', order: now, about: source, quiet } as const
  decision.notices.push({ ...said, item: bounded(item), reason, alertIds: [] })
  return decision
}
