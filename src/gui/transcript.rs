//! What an engine has printed and its page has not seen: bounded, and kept while the page is away.

use std::collections::VecDeque;

/// Most that is kept of it. An engine with a page waits when so much is unread; without one, the oldest is dropped.
pub(super) const MAX_BYTES: usize = 4 << 20;
const MAX_LINES: usize = 1 << 16;

/// A page, by a number that grows with every page that comes.
pub(super) type PageNumber = u64;

/// The lines of one engine on their way to its page.
#[derive(Default)]
pub(super) struct Transcript {
    lines: VecDeque<String>,
    /// The bytes of all lines, and of those that the page has not been sent.
    bytes: usize,
    unsent_bytes: usize,
    /// Lines printed before the first one that is kept.
    first: u64,
    /// Lines that the page has been sent.
    sent: u64,
    /// The page in force; every other one has been replaced.
    page: Option<PageNumber>,
    pages: PageNumber,
    /// The reason for which nothing more will come.
    end: Option<String>,
}

/// The next thing for a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum News {
    Line(String),
    /// The engine has ended, for this reason, and all its lines were sent.
    Ended(String),
    /// Another page has taken the engine.
    Replaced,
}

impl Transcript {
    /// Gives the engine to a page that has received `received` of its lines; `None` stands for all that were sent.
    pub(super) fn attach(&mut self, received: Option<u64>) -> PageNumber {
        let last = self.first + self.lines.len() as u64;
        self.sent = received.unwrap_or(self.sent).clamp(self.first, last);
        self.unsent_bytes = self.lines.iter().skip((self.sent - self.first) as usize).map(String::len).sum();
        self.pages += 1;
        self.page = Some(self.pages);
        self.pages
    }

    pub(super) fn detach(&mut self, page: PageNumber) {
        self.page = self.page.filter(|&current| current != page);
    }

    pub(super) fn has_page(&self) -> bool {
        self.page.is_some()
    }

    pub(super) fn is_page(&self, page: PageNumber) -> bool {
        self.page == Some(page)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Whether the engine may print more: a page that does not read makes its engine wait.
    pub(super) fn has_room(&self) -> bool {
        let unsent = self.first + self.lines.len() as u64 - self.sent;
        !self.has_page() || self.unsent_bytes < MAX_BYTES && unsent < MAX_LINES as u64
    }

    pub(super) fn push(&mut self, line: String) {
        self.bytes += line.len();
        self.unsent_bytes += line.len();
        self.lines.push_back(line);
        while (self.bytes > MAX_BYTES || self.lines.len() > MAX_LINES) && (!self.has_page() || self.first < self.sent) {
            let Some(dropped) = self.lines.pop_front() else { break };
            self.bytes -= dropped.len();
            if self.sent == self.first {
                self.unsent_bytes -= dropped.len();
                self.sent += 1;
            }
            self.first += 1;
        }
    }

    pub(super) fn end(&mut self, reason: String) {
        self.end.get_or_insert(reason);
    }

    /// The next thing that a page is to be sent, if there is any yet.
    pub(super) fn next(&self, page: PageNumber) -> Option<News> {
        if !self.is_page(page) {
            return Some(News::Replaced);
        }
        let line = self.lines.get((self.sent - self.first) as usize).cloned().map(News::Line);
        line.or_else(|| self.end.clone().map(News::Ended))
    }

    /// The line that a page was to be sent has been sent.
    pub(super) fn count_sent(&mut self, page: PageNumber) {
        if let Some(line) = self.lines.get((self.sent - self.first) as usize).filter(|_| self.page == Some(page)) {
            self.unsent_bytes -= line.len();
            self.sent += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: usize) -> String {
        format!("info string {number:>1000}")
    }

    /// Sends all that there is to be sent.
    fn drain(transcript: &mut Transcript, page: PageNumber) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(News::Line(line)) = transcript.next(page) {
            transcript.count_sent(page);
            lines.push(line);
        }
        lines
    }

    #[test]
    fn an_engine_without_a_page_keeps_its_last_lines() {
        let mut transcript = Transcript::default();
        let count = 3 * MAX_BYTES / line(0).len();
        (0..count).for_each(|number| transcript.push(line(number)));
        assert!(transcript.has_room() && transcript.bytes <= MAX_BYTES);
        let page = transcript.attach(None);
        let lines = drain(&mut transcript, page);
        assert_eq!(lines.last(), Some(&line(count - 1)));
        assert!(lines.len() < count && lines.len() > count / 4);
        (0..2 * MAX_LINES).for_each(|_| transcript.push(String::new()));
        assert!(
            !transcript.has_room() && transcript.lines.len() >= 2 * MAX_LINES,
            "nothing is lost while a page is there"
        );
        transcript.detach(page);
        transcript.push(String::new());
        assert!(transcript.lines.len() <= MAX_LINES && transcript.has_room());
    }

    #[test]
    fn a_page_that_does_not_read_makes_its_engine_wait() {
        let mut transcript = Transcript::default();
        let page = transcript.attach(None);
        let mut count = 0;
        while transcript.has_room() {
            transcript.push(line(count));
            count += 1;
        }
        assert!(transcript.bytes < MAX_BYTES + line(0).len());
        transcript.count_sent(page);
        assert!(transcript.has_room());
        assert_eq!(drain(&mut transcript, page), (1..count).map(line).collect::<Vec<_>>());
        transcript.push(line(count));
        assert!(transcript.bytes <= MAX_BYTES, "what was sent makes room");
    }

    #[test]
    fn lines_are_sent_again_as_far_as_they_were_lost() {
        let mut transcript = Transcript::default();
        let first = transcript.attach(None);
        (0..5).for_each(|number| transcript.push(line(number)));
        assert_eq!(drain(&mut transcript, first).len(), 5);
        let second = transcript.attach(Some(3));
        assert_eq!(transcript.next(first), Some(News::Replaced));
        transcript.count_sent(first);
        transcript.detach(first);
        assert_eq!(drain(&mut transcript, second), [line(3), line(4)]);
        for impossible in [6, u64::MAX] {
            let page = transcript.attach(Some(impossible));
            assert_eq!(drain(&mut transcript, page), [""; 0]);
        }
        transcript.end("it is over".to_owned());
        transcript.end("again".to_owned());
        let page = transcript.attach(Some(4));
        assert_eq!(drain(&mut transcript, page), [line(4)]);
        assert_eq!(transcript.next(page), Some(News::Ended("it is over".to_owned())));
    }
}
