import { createHash } from 'node:crypto'

import { type Identity, identityText } from '../../message/address.ts'
import { item, message, words } from '../../message/message.ts'
import type { Code, Person } from '../../people/person.ts'
import type { Change } from '../../store/change.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Numbers } from '../memory/run.ts'
import { personOf, seatsTaken } from '../memory/people.ts'
import { tell } from '../notify/notice.ts'
import { type Decided, doing, nothing, together } from './decided.ts'
import { join, newcomer } from './people.ts'

export const INVALID = words('change.code.invalid')

/** Whom one person may be asking at the same time: the oldest request makes way. */
const ASKED_AT_ONCE = 5

/** Only this hash is stored: a reader of the database or of a copy cannot use a code. */
function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

/** A new one-time code. A person has one link and one code of a page at a time; what has ended goes with it. */
export function putCode(
  drawers: Pick<Memory, 'people'>,
  { code, for: is, personId, expiresAt, name, most }: Extract<Change, { is: 'code' }>,
  now: number,
): Decided {
  const seats = most === undefined ? 0 : seatsTaken(drawers, now)
  if (most !== undefined && seats >= most) return nothing(words('invite.full', { people: seats }))
  const isAlone = is === 'link' || is === 'page'
  const replaced = (one: Code) => isAlone && one.is === is && one.personId === personId
  const asked = [...drawers.people.codes.values()].filter(
    (one) => one.is === 'agree' && one.personId === personId,
  )
  const tooMany = is === 'agree' ? asked.slice(0, Math.max(asked.length + 1 - ASKED_AT_ONCE, 0)) : []
  const isOver = (one: Code) => one.expiresAt <= now || replaced(one) || tooMany.includes(one)
  const over = [...drawers.people.codes.values()].filter(isOver)
  return doing([
    ...over.map(({ hash }) => ({ is: 'code-gone', hash }) as const),
    { is: 'code', code: { hash: hashOf(code), is, personId, expiresAt, claimant: null, name: name ?? null } },
  ])
}

/** An invitation makes a new person. No other code lets anybody in. */
export function redeem(
  drawers: Pick<Memory, 'people'>,
  numbers: Numbers,
  { code: text, by, home }: Extract<Change, { is: 'redeem' }>,
  now: number,
): Decided {
  const code = validCode(drawers, text, now)
  if (!code) return nothing(INVALID)
  const known = personOf(drawers, by)
  if (known && known.id === code.personId) return nothing(words('change.code.own'))
  if (known && code.is === 'invite') return nothing(words('change.code.known'))
  if (code.is === 'link') return nothing(words('change.code.for-link'))
  if (code.is === 'agree') return nothing(words('change.code.for-backup'))
  if (code.is !== 'invite') return nothing(INVALID)
  if (!drawers.people.persons.has(code.personId)) return nothing(words('change.code.maker-gone'))
  return together(
    join(drawers, numbers, newcomer(numbers), { by, home }),
    doing([{ is: 'code-gone', hash: code.hash }]),
  )
}

/** Who made the link that is waiting for its other side. */
export function linkMaker(drawers: Pick<Memory, 'people'>, text: string, now: number): Person | null {
  const code = validCode(drawers, text, now)
  return code?.is === 'link' && code.claimant === null
    ? (drawers.people.persons.get(code.personId) ?? null)
    : null
}

/** Somebody claims to be the person who made the link: that person is asked, and nothing else happens. */
export function askLink(
  drawers: Pick<Memory, 'people' | 'rules'>,
  numbers: Numbers,
  { code: text, by, home }: Extract<Change, { is: 'ask-link' }>,
  now: number,
): Decided {
  const code = validCode(drawers, text, now)
  const maker = linkMaker(drawers, text, now)
  if (!code || maker?.defaultChat == null) return nothing(INVALID)
  const known = personOf(drawers, by)
  if (known?.id === maker.id) return nothing(words('change.code.own-link'))
  if (known && !isBlank(drawers, known)) return nothing(OTHER_PERSON)
  const request = requestOf(code)
  const question = message([
    item(
      'warning',
      words('change.link.asks.title', { name: identityText(by) }),
      [words('change.link.asks.access'), words('change.link.asks.sure')],
      [
        { label: words('change.link.button.yes'), line: `/link ${request} yes`, replace: true },
        { label: words('change.link.button.no'), line: `/link ${request} no`, replace: true },
      ],
    ),
  ])
  return doing([
    { is: 'code', code: { ...code, claimant: { by, home } } },
    tell(numbers, maker.defaultChat, question, 'notice', now),
  ])
}

/** Who made the link says whether that is them. */
export function answerLink(
  drawers: Pick<Memory, 'people' | 'rules'>,
  numbers: Numbers,
  { personId, request, yes }: Extract<Change, { is: 'answer-link' }>,
  now: number,
): Decided {
  const code = requested(drawers, personId, request, now)
  const person = drawers.people.persons.get(personId)
  if (!code?.claimant || !person) return nothing(words('change.link.nobody'))
  const { by, home } = code.claimant
  const over = doing([{ is: 'code-gone', hash: code.hash }])
  if (!yes) return over
  const known = personOf(drawers, by)
  if (known && !isBlank(drawers, known)) return together(over, nothing(OTHER_PERSON))
  const joined = join(drawers, numbers, person, { by, home })
  // After the join: the chat is this person's by then, and stays.
  const left: Effect[] = known ? [{ is: 'person-gone', personId: known.id }] : []
  const welcome = message([item('good', words('change.link.done.title'), [words('change.link.done.alerts')])])
  const there = joined.effects.flatMap((effect) => (effect.is === 'chat' ? [effect.chat.id] : []))
  return together(
    joined,
    doing(left),
    over,
    doing(there.map((chatId) => tell(numbers, chatId, welcome, 'notice', now))),
  )
}

/** Where anybody may come, somebody is a person of their own with their first word. Without anything of theirs they can be another. */
function isBlank(
  { people, rules }: Pick<Memory, 'people' | 'rules'>,
  { id, operator, identities }: Person,
): boolean {
  const owns = [
    rules.watchesOf.of(id),
    rules.followsOf.of(id),
    rules.rulesOf.of(id),
    people.delegatesOf.of(id),
    people.coveredBy.of(id),
  ]
  const bound = [...people.chatsOf.of(id).values()].some((chat) => !chat.private)
  return !operator && identities.length === 1 && !bound && owns.every(({ size }) => size === 0)
}

/** Who waits for a person's answer to this request. */
export function linkClaimant(
  drawers: Pick<Memory, 'people'>,
  personId: number,
  request: string,
  now: number,
): Identity | null {
  return requested(drawers, personId, request, now)?.claimant?.by ?? null
}

const OTHER_PERSON = words('change.code.other-person')

/** One that was made, is not used and has not expired. */
export function validCode(drawers: Pick<Memory, 'people'>, text: string, now: number): Code | undefined {
  const code = drawers.people.codes.get(hashOf(text))
  return code && code.expiresAt > now ? code : undefined
}

function requested(
  drawers: Pick<Memory, 'people'>,
  personId: number,
  request: string,
  now: number,
): Code | undefined {
  const isMeant = (code: Code) => requestOf(code) === request || code.hash === hashOf(request)
  return [...drawers.people.codes.values()].find(
    (code) => code.personId === personId && code.claimant !== null && code.expiresAt > now && isMeant(code),
  )
}

/**
 * Names a request without its code. The name looks like a code, but only the person who is asked can use it.
 */
function requestOf({ hash }: Code): string {
  const letters = hash.slice(0, 12).toUpperCase()
  return [0, 4, 8].map((from) => letters.slice(from, from + 4)).join('-')
}
