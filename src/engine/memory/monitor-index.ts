import { type MonitorId, type MonitorKey, monitorKey } from '../../alert/monitor.ts'
import type { SubjectId } from '../../alert/subject-id.ts'
import { type Chains, createChains, ints } from '../../lib/data/paged.ts'
import { createSlotTable } from '../../lib/data/slot-table.ts'
import type { Words } from '../../lib/data/words.ts'
import type { Side } from '../../venue/position.ts'
import type { Wallet } from '../../venue/wallet.ts'

/**
 * Every monitor with a state, a state of its event kind, or armed bounds. There are very many, nearly all of
 * them silent. So each has a number, its slot, and its key is kept as columns of numbers. The key is written
 * as text only on demand.
 */
export interface MonitorIndex {
  /** The slot of a monitor, which is in the index from now on. */
  take(monitor: MonitorId): number
  drop(monitor: MonitorId): void
  /** −1 for one that is not on it. */
  slotOf(monitor: MonitorId): number
  /** The same for many positions of one rule. The kind and the identity are looked up once. */
  slotsOfRule(rule: Omit<MonitorId, 'subject'>): (position: PositionWords) => number
  /** Notes whether the same positions once more would change nothing. */
  rest(slot: number, isStill: boolean): void
  rests(slot: number): boolean
  /** Notes whether its state is other than ok. */
  stand(slot: number, isStanding: boolean): void
  /** Those of a chat whose state is other than ok, in the order in which they came. */
  standingIn(chatId: number): MonitorId[]
  at(slot: number): MonitorId
  keyAt(slot: number): MonitorKey
  /** The chat; for a dropped monitor the one that it had. */
  chatAt(slot: number): number
  /** The monitors of a wallet, and those of a chat, in the order in which they came. */
  slotsOf(wallet: Wallet): number[]
  slotsIn(chatId: number): number[]
  /** By chat, and by wallet. */
  in: Listed<number>
  of: Listed<Wallet>
}

/** The name of a position, by the numbers of its words. */
export interface PositionWords {
  wallet: number
  account: number
  market: number
  side: Side
}

export interface Listed<Group> {
  /** In the order in which they came; empty where there are none. */
  of(group: Group): ReadonlyMap<MonitorKey, MonitorId>
  groups(): IterableIterator<Group>
  /** How many groups there are. */
  readonly size: number
}

/** The types of subjects, each known by its place. */
const FORMS = ['market', 'wallet', 'account', 'long', 'short', 'venue'] as const

function formOf(subject: SubjectId): number {
  return FORMS.indexOf(subject.is === 'position' ? subject.side : subject.is)
}

const NOTHING: ReadonlyMap<MonitorKey, MonitorId> = new Map()

export function createMonitorIndex(words: Words): MonitorIndex {
  const chats = ints()
  const forms = ints()
  const still = ints()
  const standing = ints()
  // By slot, the number of the word; 0 where its subject has none.
  const parts = { kind: ints(), identity: ints(), wallet: ints(), account: ints(), market: ints() }
  const { kind, identity, wallet, account, market } = parts
  const inChat = createChains<number>()
  const ofWallet = createChains<Wallet>()
  const free: number[] = []
  let size = 0

  const table = createSlotTable((slot) =>
    hashed(
      chats.get(slot),
      forms.get(slot),
      kind.get(slot),
      identity.get(slot),
      wallet.get(slot),
      account.get(slot),
      market.get(slot),
    ),
  )

  function slotOf(monitor: MonitorId): number {
    const { chatId, subject } = monitor
    const ofKind = words.numberOf(monitor.kind)
    const ofIdentity = words.numberOf(monitor.identity)
    const [its, of, there] = subjectWords(subject)
    return found(chatId, formOf(subject), ofKind, ofIdentity, numberOf(its), numberOf(of), numberOf(there))
  }

  function found(
    chatId: number,
    form: number,
    ofKind: number,
    ofIdentity: number,
    whose: number,
    which: number,
    where: number,
  ): number {
    if (ofKind === 0 || ofIdentity === 0) return -1
    const hash = hashed(chatId, form, ofKind, ofIdentity, whose, which, where)
    return table.find(
      hash,
      (slot) =>
        chats.get(slot) === chatId &&
        market.get(slot) === where &&
        forms.get(slot) === form &&
        kind.get(slot) === ofKind &&
        wallet.get(slot) === whose &&
        account.get(slot) === which &&
        identity.get(slot) === ofIdentity,
    )
  }

  /** Zero where there is none; −1, which no slot has, for a word that nobody uses. */
  function numberOf(word: string | null): number {
    return word === null ? 0 : words.numberOf(word) || -1
  }

  function at(slot: number): MonitorId {
    const subject = subjectAt(slot)
    return {
      chatId: chats.get(slot),
      kind: words.at(kind.get(slot)),
      identity: words.at(identity.get(slot)),
      subject,
    }
  }

  function subjectAt(slot: number): SubjectId {
    const form = FORMS[forms.get(slot)] ?? 'market'
    const marketId = words.at(market.get(slot))
    if (form === 'market') return { is: form, marketId }
    if (form === 'venue') return { is: form }
    const whose = words.at(wallet.get(slot)) as Wallet
    if (form === 'wallet') return { is: form, wallet: whose }
    const accountId = words.at(account.get(slot))
    if (form === 'account') return { is: form, wallet: whose, accountId }
    return { is: 'position', wallet: whose, accountId, marketId, side: form }
  }

  function listed<Group>(chains: Chains<Group>): Listed<Group> {
    return {
      of(group) {
        const slots = chains.of(group)
        if (slots.length === 0) return NOTHING
        const all = new Map<MonitorKey, MonitorId>()
        for (const slot of slots) {
          const monitor = at(slot)
          all.set(monitorKey(monitor), monitor)
        }
        return all
      },
      groups: chains.groups,
      get size() {
        return chains.size
      },
    }
  }

  return {
    take(monitor) {
      const known = slotOf(monitor)
      if (known >= 0) return known
      const slot = free.pop() ?? size++
      const [its, of, there] = subjectWords(monitor.subject)
      const taken = (word: string | null) => (word === null ? 0 : words.take(word))
      chats.set(slot, monitor.chatId)
      forms.set(slot, formOf(monitor.subject))
      still.set(slot, 0)
      standing.set(slot, 0)
      kind.set(slot, words.take(monitor.kind))
      identity.set(slot, words.take(monitor.identity))
      wallet.set(slot, taken(its))
      account.set(slot, taken(of))
      market.set(slot, taken(there))
      table.add(slot)
      inChat.add(monitor.chatId, slot)
      if (its !== null) ofWallet.add(words.at(wallet.get(slot)) as Wallet, slot)
      return slot
    },
    drop(monitor) {
      const slot = slotOf(monitor)
      if (slot < 0) return
      const [its] = subjectWords(monitor.subject)
      table.delete(slot)
      inChat.drop(monitor.chatId, slot)
      if (its !== null) ofWallet.drop(its, slot)
      for (const part of Object.values(parts)) {
        const number = part.get(slot)
        if (number > 0) words.drop(number)
      }
      free.push(slot)
    },
    slotOf,
    slotsOfRule(rule) {
      const [ofKind, ofIdentity] = [words.numberOf(rule.kind), words.numberOf(rule.identity)]
      return (position) =>
        found(
          rule.chatId,
          FORMS.indexOf(position.side),
          ofKind,
          ofIdentity,
          position.wallet,
          position.account,
          position.market,
        )
    },
    rest: (slot, isStill) => still.set(slot, isStill ? 1 : 0),
    rests: (slot) => still.get(slot) > 0,
    stand: (slot, isStanding) => standing.set(slot, isStanding ? 1 : 0),
    standingIn: (chatId) => inChat.of(chatId).flatMap((slot) => (standing.get(slot) > 0 ? [at(slot)] : [])),
    at,
    slotsOf: ofWallet.of,
    slotsIn: inChat.of,
    keyAt: (slot) => monitorKey(at(slot)),
    chatAt: chats.get,
    in: listed(inChat),
    of: listed(ofWallet),
  }
}

/** The subject's wallet, account and market, where it has them. */
function subjectWords(subject: SubjectId): [Wallet | null, string | null, string | null] {
  if (subject.is === 'market') return [null, null, subject.marketId]
  if (subject.is === 'venue') return [null, null, null]
  if (subject.is === 'wallet') return [subject.wallet, null, null]
  if (subject.is === 'account') return [subject.wallet, subject.accountId, null]
  return [subject.wallet, subject.accountId, subject.marketId]
}

function hashed(
  chatId: number,
  form: number,
  kind: number,
  identity: number,
  wallet: number,
  account: number,
  market: number,
): number {
  const what = Math.imul(kind ^ Math.imul(identity, 0x9e3779b1), 0x85ebca6b) ^ form
  const where = Math.imul(account ^ Math.imul(market, 0xc2b2ae35), 0x27d4eb2f)
  return Math.imul(chatId ^ Math.imul(wallet, 0x165667b1), 0x9e3779b1) ^ what ^ where
}
