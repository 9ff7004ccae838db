// Texts for everybody that the host may replace, by the names that apps ask for.

export const publicTexts = ['codeofconduct.md', 'faq.md', 'twitarrhelptext.md', 'welcome.md'] as const
export type PublicTextName = (typeof publicTexts)[number]

export const isPublicText = (name: string): name is PublicTextName => (publicTexts as readonly string[]).includes(name)
