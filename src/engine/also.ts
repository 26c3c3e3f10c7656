import type { Chat } from '../chat.ts'
import { ALSO_TOLD } from '../trail.ts'
import { chainOf, chatsOfHelper } from './chain.ts'
import type { Also, Decision, Said } from './decision.ts'
import type { Look } from './look.ts'
import { otherChat, standIn } from './memory.ts'
import type { Memory } from './memory.ts'

/** They tell the end of what was told: whoever was rung for it hears that anyway. */
const ENDS: ReadonlySet<string> = new Set(['ended', 'cleared'])

/** Names where what is critical is said as well, by now: whatever nobody answers, and what was handed over. */
export function alsoTold(look: Look, decisions: readonly Decision[]): Decision[] {
  return decisions.map((decision) => {
    const chat = look.memory.chats.get(decision.chatId)
    const isAlert = ({ severity, alertIds }: Said) => severity === 'critical' && alertIds.length > 0
    if (!chat || !decision.said.some(isAlert)) return decision
    const said = decision.said.map((one) => (isAlert(one) ? { ...one, also: alsoIn(look, chat, one) } : one))
    return { ...decision, said, steps: decision.steps.map((step) => noted(step, said)) }
  })
}

/** The trail says who was told beside: whoever asks why may wonder whether anybody was. */
function noted(step: Decision['steps'][number], said: readonly Said[]): Decision['steps'][number] {
  const there = said.flatMap(({ alertIds, also = [] }) => (alertIds.includes(step.alertId) ? also : []))
  const names = [...new Set(there.map(({ name }) => name))]
  return names.length === 0 ? step : { ...step, what: `${step.what}${ALSO_TOLD}${names.join(', ')}` }
}

function alsoIn({ memory, now }: Look, chat: Chat, said: Said): Also[] {
  const { rung = 0, reason, alertIds } = said
  const fallback = otherChat(memory, chat)
  const all = [
    ...(isDue(memory, chat, rung) && fallback !== null ? [toFallback(memory, chat, fallback)] : []),
    // What others read in a bound chat is nobody's own: whoever bound it is told, and no list of people.
    ...(chat.private ? [...chosen(memory, chat, rung), ...handed(memory, chat, now)] : []),
  ]
  const known = alertIds.flatMap((id) => [...(memory.copies.get(id) ?? [])])
  const told = new Set([chat.id, standIn(memory, chat.id), ...(ENDS.has(reason) ? known : [])])
  return all.filter(({ chatId }) => {
    const isNew = !told.has(chatId)
    told.add(chatId)
    return isNew
  })
}

/** Others read what is asked in a bound chat: whose private chat it is stays theirs. */
function toFallback({ chats }: Memory, { private: own }: Chat, chatId: number): Also {
  const name = own ? (chats.get(chatId)?.address.platform ?? '') : 'whoever bound this chat'
  return { chatId, whose: null, takesOver: true, name }
}

function isDue({ persons }: Memory, { personId }: Chat, rung: number): boolean {
  const person = persons.get(personId)
  return person !== undefined && rung >= person.escalateFrom
}

function chosen(memory: Memory, { personId }: Chat, rung: number): Also[] {
  const due = chainOf(memory, personId).steps.filter(({ from, isFallback }) => from <= rung && !isFallback)
  return due.flatMap(({ chats, helperId }) => chats.map((chat) => also(memory, chat, personId, helperId)))
}

function handed(memory: Memory, { personId }: Chat, now: number): Also[] {
  return [...memory.helpersOf.of(personId).values()]
    .filter(({ handedUntil }) => handedUntil !== null && handedUntil > now)
    .flatMap(({ helperId }) =>
      chatsOfHelper(memory, helperId).map((chat) => also(memory, chat, personId, helperId)),
    )
}

function also(memory: Memory, chat: Chat, personId: number, helperId: number | null): Also {
  const agreement = memory.helpersOf.of(personId).get(helperId ?? 0)
  const name = agreement ? `@${agreement.helperName}` : chat.address.platform
  return { chatId: chat.id, whose: agreement?.name ?? null, takesOver: false, name }
}
