// The two halves of the item board.

export const quartermasterCategories = ['have', 'need'] as const
export type QuartermasterCategory = (typeof quartermasterCategories)[number]
