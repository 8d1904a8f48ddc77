"""The boundaries of seasons by brute force: each minute of the zone, one after another.

Reads a JSON list of {zone, from, until, crons} from the standard input, with times in Unix minutes, and writes a list
with the boundaries of each expression after `from` and up to `until`. Time zones come from the package `tzdata`.
"""

import json
import sys
import zoneinfo
from collections import defaultdict
from datetime import date, datetime

DAY = 1440
EPOCH = date(1970, 1, 1).toordinal()
NAMED = {"daily": "0 0 * * *", "weekly": "0 0 * * 1", "monthly": "0 0 1 * *"}
RANGES = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]


def values(text, least, most):
    found = set()
    for item in text.split(","):
        span, _, step = item.partition("/")
        first, _, last = (f"{least}-{most}" if span == "*" else span).partition("-")
        found.update(range(int(first), int(last or first) + 1, int(step or 1)))
    return found


class Expression:
    def __init__(self, cron):
        texts = NAMED.get(cron, cron).split()
        fields = [values(text, *limits) for text, limits in zip(texts, RANGES, strict=True)]
        minutes, hours, self.days, self.months, weekdays = fields
        self.times = [hour * 60 + minute for hour in hours for minute in minutes]
        self.weekdays = {day % 7 for day in weekdays}
        self.either = texts[2] != "*" and texts[4] != "*"

    def has_day(self, day):
        weekday = day.isoweekday() % 7
        if day.month not in self.months:
            return False
        if self.either:
            return day.day in self.days or weekday in self.weekdays
        return day.day in self.days and weekday in self.weekdays


def boundaries(zone, start, end, crons):
    """A local minute fires when the zone's clocks first show it, or when they first show a later one."""
    tz = zoneinfo.ZoneInfo(zone)
    expressions = [Expression(cron) for cron in crons]
    at_time = defaultdict(list)
    for index, expression in enumerate(expressions):
        for time in expression.times:
            at_time[time].append(index)
    found = [[] for _ in crons]
    # Clocks show no local minute for the first time that they showed within the day before.
    furthest = max(local_minute(tz, minute) for minute in range(start - DAY, start + 1))
    for minute in range(start + 1, end + 1):
        local = local_minute(tz, minute)
        for passed in range(furthest + 1, local + 1):
            for index in at_time.get(passed % DAY, ()):
                day = date.fromordinal(passed // DAY + EPOCH)
                if expressions[index].has_day(day) and found[index][-1:] != [minute]:
                    found[index].append(minute)
        furthest = max(furthest, local)
    return found


def local_minute(tz, minute):
    offset = datetime.fromtimestamp(minute * 60, tz).utcoffset()
    return minute + offset.days * DAY + offset.seconds // 60


if __name__ == "__main__":
    zoneinfo.reset_tzpath(to=())
    asked = json.load(sys.stdin)
    json.dump([boundaries(one["zone"], one["from"], one["until"], one["crons"]) for one in asked], sys.stdout)
