import { z } from 'zod'

const CONTACT =
  'PUSH_CONTACT is where push services write to you about your notifications: an email address or an https address.'

const isMail = (text: string) => z.email().safeParse(text).success

/** RFC 8292, 2.1: a push service may refuse a sender whom it cannot reach. */
export const schema = z.object({
  PUSH_CONTACT: z
    .string()
    .trim()
    .transform((text) => (isMail(text) ? `mailto:${text}` : text))
    .refine(
      (text) => /^mailto:/i.test(text) || z.url({ protocol: /^https$/ }).safeParse(text).success,
      CONTACT,
    )
    .refine((text) => !/^mailto:/i.test(text) || isMail(text.slice('mailto:'.length)), CONTACT)
    .optional()
    .meta({
      usual: '`PUBLIC_URL`, where it is https',
      description:
        'Email address or https address at which push services reach you. Some push services refuse a sender without one.',
    }),
})

export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['PUSH_CONTACT'] ?? '').trim() !== ''
}

export const notifyOnly = true

/** Opened beside the chats: the page offers it. */
export const besides = true
