import { z } from 'zod'

import type { NextCell } from '../people/cell.ts'

export const wholeNumber = (
  name: string,
  least: number,
  most: number,
  fallback: number,
  description: string,
) =>
  z
    .string()
    .default(String(fallback))
    .refine((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most, {
      message: `${name} is a whole number from ${least} to ${most}, such as ${fallback}.`,
    })
    .transform(Number)
    .meta({ description: `${description} From ${least} to ${most}.` })

/** People of one Perch that a configuration may name. */
const MOST_PEOPLE = 1_000_000

/** Telegram opens https alone from a button. */
function isDoor(text: string): boolean {
  if (!URL.canParse(text) || !/^[!-~]+$/.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && `${username}${password}` === ''
}

function isCount(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_PEOPLE
}

/** How many people there may be, and where others go then. */
export const peopleVariables = {
  MAX_PEOPLE: wholeNumber(
    'MAX_PEOPLE',
    1,
    MOST_PEOPLE,
    100,
    'People who can join by themselves with `ACCESS=open`. Others need an invitation.',
  ),
  CELL_FULL_AT: z
    .string()
    .refine(isCount, {
      message: `CELL_FULL_AT is a whole number from 1 to ${MOST_PEOPLE}, such as 5000.`,
    })
    .transform(Number)
    .optional()
    .meta({
      description:
        'People and open invitations at which this Perch is full. From then on `/invite` and newcomers are shown `NEXT_CELL_URL`. See [scale](scale.md).',
    }),
  NEXT_CELL_URL: z
    .string()
    .trim()
    .refine(isDoor, {
      message: 'NEXT_CELL_URL is an https address that people can open, such as https://t.me/YourSecondBot.',
    })
    .optional()
    .meta({
      description: 'Where people find the next Perch once this one is full: `https://t.me/YourSecondBot`.',
    }),
}

interface Given {
  CELL_FULL_AT?: number | undefined
  NEXT_CELL_URL?: string | undefined
}

export function areTogether(given: Given): boolean {
  return (given.CELL_FULL_AT === undefined) === (given.NEXT_CELL_URL === undefined)
}

export const CELL_MISTAKE = {
  message:
    'CELL_FULL_AT and NEXT_CELL_URL go together: the first says when this Perch is full, the second where people go then.',
  // Reported in addition to other mistakes, if neither value is one.
  when: ({ value }: { value: unknown }) =>
    z
      .object({ CELL_FULL_AT: z.number().optional(), NEXT_CELL_URL: z.string().refine(isDoor).optional() })
      .safeParse(value).success,
}

export function nextCellOf({ CELL_FULL_AT: fullAt, NEXT_CELL_URL: url }: Given): NextCell | null {
  return fullAt === undefined || url === undefined ? null : { fullAt, url: new URL(url).href }
}
