"""Ravfogel, Goldberg & Tyers (2018): can a recurrent network learn what the verb agrees with?"""
