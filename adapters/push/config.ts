import { z } from 'zod'

const CONTACT =
  'PUSH_CONTACT is where push services write to you about your notifications: an email address or an https address.'

const isMail = (text: string) => z.email().safeParse(text).success
const isHttps = (text: string) => z.url({ protocol: /^https$/ }).safeParse(text).success

/** RFC 8292, 2.1: a push service may refuse a sender whom it cannot reach. */
export const schema = z.object({
  PUSH_CONTACT: z
    .string()
    .trim()
    .transform((text) => (isHttps(text) ? text : `mailto:${text.replace(/^mailto:/i, '')}`))
    .refine((contact) => isHttps(contact) || isMail(contact.slice('mailto:'.length)), CONTACT)
    .optional()
    .meta({
      usual: '`PUBLIC_URL`, where it is https',
      description:
        'Email address or https address at which push services reach you. Apple refuses notifications of a sender without one.',
    }),
})

/** It is opened beside the chats, with the page on which browsers are named. Nothing asks for it alone. */
export function isConfigured(_env: Readonly<Record<string, string | undefined>>): boolean {
  return false
}

export const notifyOnly = true
export const besides = true
