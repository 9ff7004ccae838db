// Rows of announcements.

export interface AnnouncementRow {
  id: number
  authorId: string
  text: string
  /** Floating. */
  displayUntil: Date
  updatedAt: Date
  deletedAt: Date | null
}
